// The bound: --unwind K and --unwindset for loops and recursion, and whether it is complete.
#include <assert.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# while_complete_safe --unwind 4
int main(void) { int i = 0; while (i < 3) i++; assert(i == 3); }

//# while_too_short_violated --unwind 3
int main(void) { int i = 0; while (i < 3) i++; assert(i != 3); } //! unwind

//# while_just_enough_violated --unwind 4
int main(void) { int i = 0; while (i < 3) i++; assert(i != 3); } //! assert

//# while_in_its_last_round_violated --unwind 3
int main(void) {
  int i = 0, n = nondet_uint() % 6;
  while (i < n) { i++; assert(i != 2); } //! assert, cbmc unwind (first-violation)
}

//# while_beyond_its_last_round_violated --unwind 3
int main(void) {
  int i = 0, n = nondet_uint() % 6;
  while (i < n) { i++; assert(i != 4); } //! unwind
}

//# do_complete_safe --unwind 3
int main(void) { int i = 0; do i++; while (i < 3); assert(i == 3); }

//# do_too_short_violated --unwind 2
int main(void) { int i = 0; do i++; while (i < 3); assert(i == 7); } //! unwind

//# do_just_enough_violated --unwind 3
int main(void) { int i = 0; do i++; while (i < 3); assert(i == 7); } //! assert

//# do_in_its_last_round_violated --unwind 2
int main(void) {
  int i = 0, n = nondet_uint() % 6;
  do { i++; assert(i != 2); } while (i < n); //! assert, cbmc unwind (first-violation)
}

//# for_complete_safe --unwind 6
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += i; assert(s == 10); }

//# for_too_short_violated --unwind 5
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += i; assert(s == 11); } //! unwind

//# for_symbolic_violated --unwind 4
int main(void) { int s = 0, n = nondet_int(); for (int i = 0; i < n; i++) s++; assert(s != 3); } //! assert, unwind

//# for_symbolic_too_short_violated --unwind 4
int main(void) { int s = 0, n = nondet_int(); for (int i = 0; i < n; i++) s++; assert(s != 4); } //! unwind

//# one_round_safe --unwind 1
int main(void) { int i = 0; do i++; while (i < 1); assert(i == 1); }

//# one_round_violated --unwind 1
int main(void) { int i = 0; while (i < 1) i++; assert(i == 5); } //! unwind

//# endless_with_break_safe --unwind 4
int main(void) { int i = 0; for (;;) { if (i == 3) break; i++; } assert(i == 3); }

//# endless_with_break_violated --unwind 3
int main(void) { int i = 0; for (;;) { if (i == 3) break; i++; } assert(i == 4); } //! unwind

//# goto_loop_safe --unwind 3
int main(void) { int i = 0; again: i++; if (i < 3) goto again; assert(i == 3); }

//# goto_loop_violated --unwind 2
int main(void) { int i = 0; again: i++; if (i < 3) goto again; assert(i == 4); } //! unwind

//# goto_loop_just_enough_violated --unwind 3
int main(void) { int i = 0; again: i++; if (i < 3) goto again; assert(i == 4); } //! assert

//# goto_loop_always_jumping_violated --unwind 2
int main(void) { int i = 0; again: if (i >= 2) goto out; i++; goto again; out: assert(i == 3); } //! unwind

//# nested_complete_safe --unwind 4
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) n++; assert(n == 9); }

//# nested_inner_too_short_violated --unwindset main.0:3 --unwind 5
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) n++; assert(n == 8); } //! unwind

//# nested_outer_too_short_violated --unwindset main.1:3 --unwind 5
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) n++; assert(n == 8); } //! unwind

//# nested_both_enough_violated --unwindset main.0:4,main.1:4 --unwind 1
int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) n++; assert(n == 8); } //! assert

//# second_loop_violated --unwindset main.1:6 --unwind 3
int main(void) {
  int i, j;
  for (i = 0; i < 2; i++) ;
  for (j = 0; j < 5; j++) ;
  assert(j == i); //! assert
}

//# second_loop_too_short_violated --unwindset main.1:5 --unwind 3
int main(void) {
  int i, j;
  for (i = 0; i < 2; i++) ;
  for (j = 0; j < 5; j++) ;
  assert(j == i); //! unwind
}

//# loop_in_a_function_violated --unwindset count.0:5 --unwind 1
int count(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) { assert(count(4) == count(2)); } //! assert

//# loop_in_a_function_counts_anew_safe --unwind 4
int count(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) { assert(count(3) + count(3) == 6); }

//# recursion_complete_safe --unwind 4
int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
int main(void) { assert(down(4) == 4); }

//# recursion_too_short_violated --unwind 3
int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); } //! unwind
int main(void) { assert(down(4) == 0); }

//# recursion_just_enough_violated --unwind 4
int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
int main(void) { assert(down(4) == 0); } //! assert

//# recursion_symbolic_violated --unwind 3
int down(int n) { assert(n != 5); if (n <= 0) return 0; return 1 + down(n - 1); } //! assert, unwind
int main(void) { down(nondet_int()); }

//# recursion_deepest_frame_violated --unwind 2
int down(int n) { assert(n > -3); return n == -3 ? 0 : down(n - 1); } //! assert, unwind
int main(void) { down(nondet_uint() % 4 - 2); }

//# recursion_with_loop_violated --unwind 4
int down(int n) { int s = 0; for (int i = 0; i < n; i++) s += down(i); return s + 1; }
int main(void) { assert(down(3) != 8); } //! assert

//# mutual_recursion_too_short_violated --unwind 2
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { assert(even(7)); } //! unwind

//# mutual_recursion_enough_violated --unwind 3
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { assert(even(5)); } //! assert

//# violation_before_the_bound_violated --unwind 2
int main(void) {
  int i = 0;
  assert(nondet_int()); //! assert
  while (i < 2) i++; //! unwind
}

//# violation_on_every_way_to_the_bound_violated --unwind 2
int main(void) {
  int i = 0, x = 0;
  assert(x); //! assert
  while (i < 2) i++; //! cbmc unwind (first-violation)
}

//# assumption_makes_it_complete_safe --unwind 3
int main(void) { int i = 0, n = nondet_int(); __CPROVER_assume(n <= 2); while (i < n) i++; assert(i <= 2); }

//# assumption_after_the_loop_violated --unwind 3
int main(void) { int i = 0, n = nondet_int(); while (i < n) i++; __CPROVER_assume(n <= 2); assert(i < 2); } //! assert, unwind

//# exit_from_the_loop_safe --unwind 2
#include <stdlib.h>
int main(void) { int n = 0; for (;;) { if (n++ == 1) exit(0); } assert(0); }

//# return_from_the_loop_safe --unwind 2
int find(void) { for (int i = 0;; i++) if (i == 1) return i; }
int main(void) { assert(find() == 1); }

//# two_ways_round_violated --unwind 3
int main(void) { int i = 0; while (i < 2) { if (nondet_int()) { i++; continue; } i += 2; } assert(i == 2); } //! assert
