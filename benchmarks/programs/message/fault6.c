#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LEAST 3
#define MOST  8

enum result { OK, TOO_SHORT, BAD_LENGTH, BAD_SUM, BAD_KIND };

/* First byte of a message, as it is laid out in memory. */
union header {
    uint8_t byte;
    struct {
        uint8_t kind : 3;
        uint8_t length : 4;
        uint8_t urgent : 1;
    } part;
};

struct setting {
    uint8_t address;
    uint16_t value;
};

struct message {
    union header header;
    union {
        struct setting setting;
        uint8_t text[MOST];
        int8_t delta;
    } body;
};

static uint8_t checksum(const uint8_t *bytes, int count)
{
    uint8_t sum = 0x5a;
    int i;

    for (i = 0; i < count; i++)
        sum = (uint8_t)((sum << 1) ^ (sum >> 7) ^ bytes[i]);
    return sum;
}

/* header, payload of header.length bytes, checksum over both */
static enum result decode(const uint8_t *bytes, int count, struct message *m)
{
    int length;

    if (count < LEAST)
        return TOO_SHORT;
    m->header.byte = bytes[0];
    length = m->header.part.length;
    if (length + 2 > count)
        return BAD_LENGTH;
    if (checksum(bytes, length + 1) != bytes[length + 1])
        return BAD_SUM;
    switch (m->header.part.kind) {
    case 1:
        if (length != 3)
            return BAD_LENGTH;
        m->body.setting.address = bytes[1];
        m->body.setting.value = (uint16_t)(bytes[2] << 8 | bytes[3]);
        return OK;
    case 2:
        if (length >= MOST)
            return BAD_LENGTH;
        memcpy(m->body.text, bytes + 1, (size_t)length);
        m->body.text[length] = '\0';
        return OK;
    case 3:
        if (length != 1)
            return BAD_LENGTH;
        m->body.delta = (int8_t)bytes[1];
        return OK;
    default:
        return BAD_KIND;
    }
}

/* Writes a setting; returns the number of bytes. */
static int encode_setting(const struct setting *s, int urgent, uint8_t *out)
{
    union header h = {0};

    h.part.kind = 1;
    h.part.length = 3;
    h.part.kind = urgent != 0;
    out[0] = h.byte;
    out[1] = s->address;
    out[2] = (uint8_t)(s->value >> 8);
    out[3] = (uint8_t)s->value;
    out[4] = checksum(out, 4);
    return 5;
}

int main(void)
{
    uint8_t bytes[MOST];
    struct setting s;
    struct message m, back;
    enum result result;
    int i, n;

    for (i = 0; i < MOST; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    result = decode(bytes, MOST, &m);
    if (result == OK) {
        assert(m.header.part.length + 2 <= MOST);
        if (m.header.part.kind == 3)
            assert(m.body.delta == (int8_t)bytes[1]);
        if (m.header.part.kind == 2)
            assert(m.body.text[m.header.part.length] == '\0');
    }

    s.address = bytes[0];
    s.value = (uint16_t)(bytes[1] | bytes[2] << 8);
    n = encode_setting(&s, bytes[3] & 1, bytes);
    result = decode(bytes, n, &back);
    assert(result == OK);
    assert(back.header.part.urgent == (bytes[0] >> 7));
    assert(back.body.setting.address == s.address);
    assert(back.body.setting.value == s.value);
    bytes[n - 1] ^= 1;
    assert(decode(bytes, n, &back) == BAD_SUM);
    return 0;
}
