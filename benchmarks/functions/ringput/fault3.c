/* A buffer that begins again at its start. */
#include <stdbool.h>
#include <stddef.h>

#define ROOM 4

struct ring {
    unsigned char data[ROOM];
    size_t first;
    size_t count;
    unsigned lost;
};

static bool is_ring(const struct ring *r)
{
    return r->first < ROOM && r->count <= ROOM;
}

static unsigned char at(const struct ring *r, size_t place)
{
    return r->data[(r->first + place) % ROOM];
}

/* Appends a byte; when there is no room the oldest one is lost. Whether none was.
 * @requires is_ring(r)
 * @ensures is_ring(r) && r->count > 0 && at(r, r->count - 1) == byte
 * @ensures __sfo_result == (__sfo_old(r->count) < ROOM)
 * @ensures r->count == __sfo_old(r->count) + __sfo_result && r->lost == __sfo_old(r->lost) + !__sfo_result
 * @ensures __sfo_old(r->count) < 2 || at(r, 0) == __sfo_old(at(r, r->count == ROOM ? 1 : 0))
 */
bool put(struct ring *r, unsigned char byte)
{
    bool fits = r->count < ROOM;
    if (!fits) {
        r->first = (r->first + 1) % ROOM;
        r->count--;
        r->lost++;
    }
    r->data[(r->first + r->count - 1) % ROOM] = byte;
    r->count++;
    return fits;
}
