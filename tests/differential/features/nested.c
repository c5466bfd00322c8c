// Nested functions of GNU C.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);

//# nested_function_safe
int main(void) {
  int x = nondet_int(), y = 0;
  void keep(int k) { y = k; x = 1; }
  keep(x);
  assert(x == 1 && (y == 7) == (y - 7 == 0));
}

//# nested_function_violated
int main(void) {
  int x = nondet_int();
  int more(int k) { return k + (x & 7); }
  assert(more(3) != 8); //! assert
}

//# nested_functions_in_each_other_safe
int triangle(int n) {
  int total = 0;
  void add(int k) {
    int twice = 2 * k;
    void deep(void) { total += twice; n--; }
    deep();
  }
  while (n > 0) add(n);
  return total;
}
int main(void) { assert(triangle(3) == 12 && triangle(2) == 6); }

//# nested_functions_in_each_other_violated
int main(void) {
  int n = nondet_int() & 3;
  int outer(void) { int inner(void) { return n; } return inner() + inner(); }
  assert(outer() != 6); //! assert
}

//# pointer_to_a_nested_function_safe
int main(void) {
  int order = -1, a[] = { 3, 1, 2 };
  int compare(const void *x, const void *y) { return order * (*(const int *)x - *(const int *)y); }
  qsort(a, 3, sizeof *a, compare);
  assert(a[0] == 3 && a[1] == 2 && a[2] == 1);
  order = 1;
  qsort(a, 3, sizeof *a, compare);
  assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
}

//# pointer_to_a_nested_function_violated
int (*kept)(void);
void set(void) { int x = 3; int get(void) { return x; } //! pointer
  kept = get; assert(kept() == 3); }
int main(void) { set(); return kept(); }

//# nested_function_in_a_loop_safe
int main(void) {
  for (int i = 0; i < 3; i++) {
    int own = i + 1;
    int product(void) { return own * i; }
    assert(product() == i * i + i);
  }
}

//# nested_function_in_a_loop_violated
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    void add(void) { sum += i; }
    add();
  }
  assert(sum != 3); //! assert
}
