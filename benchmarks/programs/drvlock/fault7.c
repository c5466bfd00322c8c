/*
 * The request path of a block-device driver.  The rules checked:
 * the lock is never taken twice, never released when free, the
 * interrupt mask is restored, a buffer is returned exactly once.
 */

int nondet_int(void);
unsigned char nondet_uchar(void);
_Bool nondet_bool(void);
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);

#define BUFFERS  3
#define REQUESTS 3
#define RETRIES  2

enum status { OK = 0, E_BUSY = -1, E_IO = -2, E_INVAL = -3 };

struct buffer {
    _Bool taken;
    int sector;
};

struct device {
    int lock;
    int irq_mask;           /* nesting of masking */
    int pending;
    int errors;
    struct buffer pool[BUFFERS];
};

static struct device disk;

static void lock(struct device *d)
{
    __CPROVER_assert(d->lock == 0, "lock is free when taken");
    d->lock = 1;
}

static void unlock(struct device *d)
{
    __CPROVER_assert(d->lock == 1, "lock is held when released");
    d->lock = 0;
}

static void mask_irq(struct device *d)
{
    d->irq_mask++;
}

static void unmask_irq(struct device *d)
{
    d->irq_mask--;
    __CPROVER_assert(d->irq_mask >= 0, "mask is balanced");
}

static struct buffer *take_buffer(struct device *d)
{
    struct buffer *b;

    __CPROVER_assert(d->lock == 1, "pool used under the lock");
    for (b = d->pool; b != d->pool + BUFFERS; b++) {
        if (!b->taken) {
            b->taken = 1;
            d->pending++;
            return b;
        }
    }
    return 0;
}

static void return_buffer(struct device *d, struct buffer *b)
{
    __CPROVER_assert(d->lock == 1, "pool used under the lock");
    __CPROVER_assert(b->taken, "buffer returned once");
    b->taken = 0;
    b->sector = -1;
    d->pending--;
}

/* The hardware: may fail, may ask for another try. */
static int issue(struct device *d, struct buffer *b, int sector)
{
    unsigned char answer = nondet_uchar();

    __CPROVER_assert(d->lock == 0, "no sleep under the lock");
    __CPROVER_assert(d->irq_mask == 0, "interrupts enabled while waiting");
    __CPROVER_assume(answer <= 2);
    b->sector = sector;
    if (answer == 0)
        return OK;
    return answer == 1 ? E_BUSY : E_IO;
}

static int submit(struct device *d, int sector, _Bool keep)
{
    struct buffer *b;
    int tries = 0;
    int rc = OK;

    lock(d);
    mask_irq(d);
    if (sector < -1) {
        rc = E_INVAL;
        goto out;
    }
    b = take_buffer(d);
    if (b == 0) {
        rc = E_BUSY;
        goto out;
    }

    do {
        unmask_irq(d);
        unlock(d);
        rc = issue(d, b, sector);
        lock(d);
        mask_irq(d);
        tries++;
    } while (rc == E_BUSY && tries < RETRIES);

    if (rc != OK) {
        d->errors++;
        goto release;
    }
    if (keep)
        goto out;

release:
    return_buffer(d, b);
out:
    unmask_irq(d);
    unlock(d);
    return rc;
}

int main(void)
{
    int r, i;
    int kept = 0, failures = 0, taken = 0;

    for (r = 0; r < REQUESTS; r++) {
        int sector = nondet_int();
        _Bool keep = nondet_bool();
        int errors_before = disk.errors;
        int rc;

        __CPROVER_assume(sector >= -1 && sector <= 15);
        rc = submit(&disk, sector, keep);
        if (rc == OK && keep)
            kept++;
        if (rc == E_IO)
            failures++;
        __CPROVER_assert(disk.lock == 0, "lock released after a request");
        __CPROVER_assert(disk.irq_mask == 0, "interrupts restored");
        __CPROVER_assert(disk.errors == errors_before || rc != OK, "errors counted");
        __CPROVER_assert(sector >= 0 || rc == E_INVAL, "bad sector refused");
    }
    for (i = 0; i < BUFFERS; i++)
        if (disk.pool[i].taken)
            taken++;
    __CPROVER_assert(taken == kept, "buffers kept are the ones asked for");
    __CPROVER_assert(disk.pending == taken, "pending counts the taken ones");
    __CPROVER_assert(disk.errors >= failures, "each failure is counted");
    return 0;
}
