"""Small libraries: with their constructors, what is right passes and what is wrong fails."""

from pathlib import Path

import pytest

import sfo

STACK = """\
#include <stdlib.h>
struct stack { int *items; int size, room; };
struct stack *stack_new(int room)
{
    if (room < 1 || room > 8) return NULL;
    struct stack *s = malloc(sizeof *s);
    s->items = malloc(room * sizeof *s->items);
    s->size = 0;
    s->room = room;
    return s;
}
void stack_free(struct stack *s) { free(s->items); free(s); }
void stack_push(struct stack *s, int value) { if (s->size < s->room) s->items[s->size++] = value; }
int right(const struct stack *s) { return s->size == 0 ? 0 : s->items[s->size - 1]; }
int wrong(const struct stack *s) { return s->size == 0 ? 0 : s->items[s->size]; }
"""

RING = """\
struct ring { unsigned char bytes[8]; int head, tail; };
int ring_init(struct ring *r, int start)
{
    if (start < 0 || start >= 8) return -1;
    r->head = r->tail = start;
    return 0;
}
void ring_write(struct ring *r, unsigned char c) { r->bytes[r->head] = c; r->head = (r->head + 1) % 8; }
int right(struct ring *r) { return r->bytes[r->tail]; }
int wrong(struct ring *r) { return r->head == r->tail ? 0 : r->bytes[r->tail + 1]; }
"""

COUNTER = """\
#include <stdbool.h>
typedef struct { int value, limit; } Counter;
bool Counter_init(Counter *c, int limit) { if (limit < 1) return false; c->value = 0; c->limit = limit; return true; }
void Counter_step(Counter *c) { if (c->value < c->limit) c->value++; }
int right(Counter *c) { return 100 / c->limit; }
int wrong(Counter *c) { return 100 / (c->limit - c->value); }
"""

ARENA = """\
#include <stdlib.h>
struct arena { unsigned char *base; size_t size, used; };
int arena_setup(struct arena *a, size_t size)
{
    if (size == 0 || size > 64) return 1;
    a->base = malloc(size);
    if (!a->base) return 1;
    a->size = size;
    a->used = 0;
    return 0;
}
void arena_take(struct arena *a, size_t n) { if (n <= a->size - a->used) a->used += n; }
void right(struct arena *a) { if (a->used < a->size) a->base[a->used] = 1; }
void wrong(struct arena *a) { if (a->used <= a->size) a->base[a->used] = 1; }
"""


@pytest.mark.parametrize("text", [STACK, RING, COUNTER, ARENA], ids=["stack", "ring", "counter", "arena"])
def test_only_what_is_wrong_fails_in_a_structure_that_is_made(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(text)
    right = sfo.check(path, entry="right", construct=True, timeout=20)
    assert right.verdict != "violated"
    wrong = sfo.check(path, entry="wrong", construct=True)
    assert wrong.verdict == "violated"
    assert any("--construct" in said for said in wrong.bound.assumptions)


def test_a_note_names_the_constructor_that_was_not_called(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(STACK)
    said = "struct stack has any members here, which no caller may have: it is made by stack_new with --construct"
    assert said in sfo.check(path, entry="wrong").notes
    assert said not in sfo.check(path, entry="wrong", construct=True).notes
