// Statements, loops and jumps.
#include <assert.h>
int nondet_int(void);
unsigned char nondet_uchar(void);

//# if_safe
int main(void) { int x = nondet_int(), y = 0; if (x > 3) y = 1; assert(y == (x > 3)); }

//# if_violated
int main(void) { int x = nondet_int(), y = 0; if (x > 3) y = 1; assert(y == 0); } //! assert

//# if_else_safe
int main(void) { int x = nondet_int(), y; if (x > 3) y = x; else y = 4; assert(y > 3); }

//# if_else_violated
int main(void) { int x = nondet_int(), y; if (x > 3) y = x; else y = 3; assert(y > 3); } //! assert

//# dangling_else_safe
int main(void) { int x = nondet_int(), y = 0; if (x > 0) if (x > 5) y = 1; else y = 2; assert(x > 0 || y == 0); }

//# dangling_else_violated
int main(void) { int x = nondet_int(), y = 0; if (x > 0) if (x > 5) y = 1; else y = 2; assert(y != 0); } //! assert

//# while_safe
int main(void) { int i = 0, n = nondet_uchar() & 3; while (i < n) i++; assert(i == n); }

//# while_violated
int main(void) { int i = 0, n = nondet_uchar() & 3; while (i < n) i++; assert(i < 3); } //! assert

//# do_safe
int main(void) { int i = 0; do i++; while (i < nondet_int() && i < 4); assert(i >= 1 && i <= 4); }

//# do_violated
int main(void) { int i = 0; do i++; while (i < nondet_int() && i < 4); assert(i < 4); } //! assert

//# for_safe
int main(void) { int s = 0; for (int i = 1; i <= 4; i++) s += i; assert(s == 10); }

//# for_violated
int main(void) { int s = 0; for (int i = 1; i < 4; i++) s += i; assert(s == 10); } //! assert

//# for_empty_parts_safe
int main(void) { int i = 0; for (;;) { if (i >= 3) break; i++; } assert(i == 3); }

//# for_empty_parts_violated
int main(void) { int i = 0; for (;;) if (++i > 2) break; assert(i == 2); } //! assert

//# break_safe
int main(void) { int i; for (i = 0; i < 5; i++) if (i == 2) break; assert(i == 2); }

//# break_violated
int main(void) { int i, n = nondet_int(); for (i = 0; i < 5; i++) if (i == n) break; assert(i < 5); } //! assert

//# continue_safe
int main(void) { int s = 0; for (int i = 0; i < 5; i++) { if (i % 2) continue; s += i; } assert(s == 6); }

//# continue_violated
int main(void) { int s = 0, i = 0; while (i < 5) { i++; if (i % 2) continue; s += i; } assert(s != 6); } //! assert

//# continue_in_do_safe
int main(void) { int i = 0; do { i++; continue; } while (i < 3); assert(i == 3); }

//# continue_in_do_violated
int main(void) { int i = 0; do { i++; if (i == 1) continue; break; } while (i < 3); assert(i == 1); } //! assert

//# nested_loops_safe
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j <= i; j++) n++; assert(n == 6); }

//# nested_loops_violated
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) n++; assert(n == 6); } //! assert

//# break_inner_safe
int main(void) { int n = 0; for (int i = 0; i < 3; i++) { for (;;) { break; } n++; } assert(n == 3); }

//# break_inner_violated
int main(void) { int n = 0; for (int i = 0; i < 3; i++) { while (1) { if (n) break; n++; } } assert(n == 3); } //! assert

//# switch_safe
int main(void) {
  int x = nondet_int(), y;
  switch (x) { case 1: y = 10; break; case 2: y = 20; break; default: y = 30; }
  assert(y == (x == 1 ? 10 : x == 2 ? 20 : 30));
}

//# switch_violated
int main(void) {
  int x = nondet_int(), y = 0;
  switch (x) { case 1: y = 10; break; case 2: y = 20; }
  assert(y != 0); //! assert
}

//# switch_fall_through_safe
int main(void) {
  int x = nondet_int(), y = 0;
  switch (x) { case 1: y++; case 2: y++; default: y++; }
  assert(y >= 1 && y <= 3 && (x != 1 || y == 3));
}

//# switch_fall_through_violated
int main(void) {
  int x = nondet_int(), y = 0;
  switch (x) { case 1: y++; case 2: y++; break; default: ; }
  assert(y < 2); //! assert
}

//# switch_default_first_safe
int main(void) { int x = nondet_int(), y = 0; switch (x) { default: y = 1; break; case 3: y = 2; } assert((x == 3) == (y == 2)); }

//# switch_default_first_violated
int main(void) { int x = nondet_int(), y = 0; switch (x) { default: y = 1; case 3: y += 2; } assert(y == 2); } //! assert

//# switch_conversion_safe
int main(void) { unsigned char c = nondet_uchar(); switch (c) { case 256: assert(0); } }

//# switch_conversion_violated
int main(void) { unsigned char c = nondet_uchar(); switch (c) { case 255: assert(0); } } //! assert

//# switch_into_a_loop_safe
int main(void) {
  int n = 0, k = 3;
  switch (k % 2) { case 0: do { n++; case 1: n++; } while (--k > 0); }
  assert(n == 5);
}

//# switch_into_a_loop_violated
int main(void) {
  int n = 0, k = nondet_uchar() & 3;
  switch (k % 2) { case 0: do { n++; case 1: n++; } while (--k > 0); }
  assert(n != 4); //! assert
}

//# case_range_safe
int main(void) { int x = nondet_int(), y = 0; switch (x) { case 3 ... 6: y = 1; } assert(y == (x >= 3 && x <= 6)); }

//# case_range_violated
int main(void) { int x = nondet_int(), y = 0; switch (x) { case 3 ... 6: y = 1; } assert(y == (x > 3 && x <= 6)); } //! assert

//# goto_forward_safe
int main(void) { int x = nondet_int(); if (x < 0) goto out; assert(x >= 0); out: return 0; }

//# goto_forward_violated
int main(void) { int x = nondet_int(); if (x < 0) goto out; return 0; out: assert(x >= 0); } //! assert

//# goto_over_a_declaration_safe
int main(void) { int x = nondet_int(); if (x) goto over; int t = 1; over: if (!x) assert(t == 1); t = 2; assert(t == 2); }

//# goto_over_a_declaration_violated
int main(void) { if (nondet_int()) goto over; int t = 1; over: assert(t == 1); } //! assert

//# goto_into_the_scope_of_a_declaration_violated
int main(void) {
  int n = 0;
  { int t = 1; again: n++; assert(t == 1); } //! assert
  if (n < 2) goto again;
}

//# goto_over_a_declaration_in_a_loop_safe
int main(void) {
  for (int i = 0; i < 3; i++) {
    if (i == 1) goto over;
    int t;
  over:;
    int *p = &t;
    *p = i;
    assert(t == i);
  }
}

//# case_behind_a_declaration_safe
int main(void) {
  int x = nondet_int();
  switch (x & 3) { int t; case 0: t = 1; assert(t == 1); int u = 2; case 1: u = t = 3; default: t = u = 4; assert(t + u == 8); }
}

//# case_behind_a_declaration_violated
int main(void) { switch (nondet_int()) { int t = 1; case 1: assert(t == 1); } } //! assert

//# goto_backward_safe
int main(void) { int i = 0; again: i++; if (i < 4) goto again; assert(i == 4); }

//# goto_backward_violated
int main(void) { int i = 0; again: i++; if (i < 4) goto again; assert(i == 3); } //! assert

//# goto_out_of_loops_safe
int main(void) { int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) if (i * j == 2) goto out; out: assert(i == 1 && j == 2); }

//# goto_out_of_loops_violated
int main(void) { int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) if (i + j == 4) goto out; out: assert(i == 3); } //! assert

//# goto_into_a_block_safe
int main(void) { int x = nondet_int(); if (x == 7) goto in; x = 0; { in: x++; } assert(x == 1 || x == 8); }

//# goto_into_a_block_violated
int main(void) { int x = nondet_int(); if (x == 7) goto in; x = 0; { in: x++; } assert(x == 1); } //! assert

//# labels_safe
int main(void) { int x = 1; goto b; a: x = 2; goto end; b: x = 3; end: assert(x == 3); }

//# labels_violated
int main(void) { int x = 1; goto b; b: x = 3; goto a; a: x = 2; assert(x == 3); } //! assert

//# return_safe
int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
int main(void) { int x = nondet_int(); assert(sign(x) >= -1 && sign(x) <= 1); }

//# return_violated
int sign(int x) { if (x < 0) return -1; return 1; }
int main(void) { int x = nondet_int(); assert(sign(x) * sign(x) == x * x); } //! assert

//# return_from_a_loop_safe
int find(int x) { for (int i = 0; i < 4; i++) if (i * i == x) return i; return -1; }
int main(void) { int r = find(nondet_int()); assert(r >= -1 && r < 4); }

//# return_from_a_loop_violated
int find(int x) { for (int i = 0; i < 4; i++) if (i * i == x) return i; return -1; }
int main(void) { int r = find(nondet_int()); assert(r != 3); } //! assert

//# empty_statement_safe
int main(void) { int i = 0; ; ; while (i++ < 3) ; assert(i == 4); }

//# empty_statement_violated
int main(void) { int x = nondet_int(); if (x > 0) ; assert(x > 0); } //! assert

//# blocks_safe
int main(void) { int x = 1; { int x = 2; { int x = 3; assert(x == 3); } assert(x == 2); } assert(x == 1); }

//# blocks_violated
int main(void) { int x = 1; { int x = 2; x++; } assert(x == 3); } //! assert

//# for_scope_safe
int main(void) { int i = 7; for (int i = 0; i < 3; i++) ; assert(i == 7); }

//# for_scope_violated
int main(void) { int i = 7; for (i = 0; i < 3; i++) ; assert(i == 7); } //! assert

//# initialised_in_every_round_safe
int main(void) { for (int i = 0; i < 3; i++) { int k = 0; k += i; assert(k == i); } }

//# initialised_in_every_round_violated
int main(void) { for (int i = 0; i < 3; i++) { static int k = 0; k += i; assert(k == i); } } //! assert

//# endless_loop_violated
int main(void) { for (;;) ; assert(0); } //! unwind

//# endless_loop_with_exit_violated
int main(void) { int x = nondet_int(); while (x) { } assert(x == 0); } //! unwind

//# goto_out_of_a_block_violated
int main(void) {
  int *p = 0;
  { int x = 1; p = &x; if (nondet_int()) goto out; p = 0; }
out:
  if (p) *p = 2; //! pointer
  return 0;
}
