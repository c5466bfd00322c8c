// Programs in the styles of verification suites.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

//# sum_of_a_loop_safe --unwind 12
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  __VERIFIER_assume(n >= 0 && n <= 10);
  for (int i = 1; i <= n; i++) s += i;
  assert(2 * s == n * (n + 1));
}

//# sum_of_a_loop_violated --unwind 12
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  __VERIFIER_assume(n >= 0 && n <= 10);
  for (int i = 1; i <= n; i++) if (i != 7) s += i;
  assert(2 * s == n * (n + 1)); //! assert
}

//# two_counters_safe --unwind 8
int main(void) {
  int x = 0, y = 50, rounds = 0;
  while (x < 100 && rounds < 6) { if (x < 50) x += 10; else { x += 25; y += 25; } rounds++; }
  assert(x < 100 || x == y);
}

//# nested_counting_safe --unwind 7
int main(void) {
  int n = __VERIFIER_nondet_uint() % 5, m = __VERIFIER_nondet_uint() % 5, c = 0;
  for (int i = 0; i < n; i++) { int j = m; while (j > 0) { c++; j--; } }
  assert(c == n * m);
}

//# greatest_common_divisor_safe --unwind 12
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(a > 0 && b > 0 && a < 30 && b < 30);
  int g = gcd(a, b);
  assert(g > 0 && a % g == 0 && b % g == 0);
}

//# array_maximum_safe
int main(void) {
  int a[5], max;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  max = a[0];
  for (int i = 1; i < 5; i++) if (a[i] > max) max = a[i];
  for (int i = 0; i < 5; i++) assert(a[i] <= max);
}

//# array_maximum_violated
int main(void) {
  int a[5], max = 0;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) if (a[i] > max) max = a[i];
  int found = 0;
  for (int i = 0; i < 5; i++) found |= a[i] == max;
  assert(found); //! assert
}

//# array_copy_reverse_safe
int main(void) {
  int a[6], b[6];
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 6; i++) b[5 - i] = a[i];
  for (int i = 0; i < 6; i++) assert(b[i] == a[5 - i]);
}

//# array_partition_violated
int main(void) {
  int a[5], i = 0, j = 4, pivot = __VERIFIER_nondet_int();
  for (int k = 0; k < 5; k++) a[k] = __VERIFIER_nondet_int();
  while (i < j) {
    while (i <= 4 && a[i] < pivot) i++;
    while (j >= 0 && a[j] > pivot) j--;
    if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
  }
  assert(i > j); //! assert
}

//# binary_search_safe
int search(const int *a, int n, int x) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int mid = low + (high - low) / 2;
    if (a[mid] == x) return mid;
    if (a[mid] < x) low = mid + 1; else high = mid - 1;
  }
  return -1;
}
int main(void) {
  int a[6], x = __VERIFIER_nondet_int();
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < 6; i++) { a[i] = __VERIFIER_nondet_int(); __VERIFIER_assume(a[i] >= a[i - 1]); }
  int r = search(a, 6, x);
  if (r < 0) for (int i = 0; i < 6; i++) assert(a[i] != x);
  else assert(a[r] == x);
}

//# binary_search_violated
int search(const int *a, int n, int x) {
  int low = 0, high = n;
  while (low <= high) {
    int mid = low + (high - low) / 2;
    if (a[mid] == x) return mid; //! pointer
    if (a[mid] < x) low = mid + 1; else high = mid - 1; //! cbmc pointer (first-violation)
  }
  return -1;
}
int main(void) {
  int a[6], x = __VERIFIER_nondet_int();
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  return search(a, 6, x);
}

//# sorted_list_insertion_safe
struct node { int v; struct node *next; };
static void insert(struct node **l, int v) {
  while (*l && (*l)->v < v) l = &(*l)->next;
  struct node *x = malloc(sizeof *x);
  x->v = v; x->next = *l; *l = x;
}
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 4; i++) insert(&l, __VERIFIER_nondet_int());
  for (struct node *p = l; p->next; p = p->next) assert(p->v <= p->next->v);
}

//# sorted_list_insertion_violated
struct node { int v; struct node *next; };
static struct node *insert(struct node *l, int v) {
  struct node *x = malloc(sizeof *x), *p = l;
  x->v = v;
  if (!l) { x->next = 0; return x; }
  while (p->next && p->next->v < v) p = p->next;
  x->next = p->next; p->next = x;
  return l;
}
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 3; i++) l = insert(l, __VERIFIER_nondet_int());
  for (struct node *p = l; p->next; p = p->next) assert(p->v <= p->next->v); //! assert
}

//# list_removal_violated --check assert,pointer,double-free,leak
struct node { int v; struct node *next; };
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 4; i++) { struct node *x = malloc(sizeof *x); x->v = __VERIFIER_nondet_int(); x->next = l; l = x; }
  for (struct node **p = &l; *p;) {
    if ((*p)->v == 3) { struct node *dead = *p; *p = dead->next; free(dead); }
    else p = &(*p)->next;
  }
  for (struct node *p = l; p; p = p->next) assert(p->v != 3);
  while (l && l->next) { struct node *t = l->next; free(l); l = t; }
  return 0; //! leak
}

//# doubly_linked_queue_safe --check assert,pointer,double-free,leak
struct item { int v; struct item *next, *prev; };
struct queue { struct item *head, *tail; int n; };
static void push(struct queue *q, int v) {
  struct item *x = malloc(sizeof *x);
  x->v = v; x->next = 0; x->prev = q->tail;
  if (q->tail) q->tail->next = x; else q->head = x;
  q->tail = x; q->n++;
}
static int pop(struct queue *q) {
  struct item *x = q->head; int v = x->v;
  q->head = x->next;
  if (q->head) q->head->prev = 0; else q->tail = 0;
  q->n--; free(x);
  return v;
}
int main(void) {
  struct queue q = { 0, 0, 0 };
  int in = 0, out = 0;
  for (int i = 0; i < 5; i++) if (__VERIFIER_nondet_bool()) push(&q, in++); else if (q.n) assert(pop(&q) == out++);
  while (q.n) pop(&q);
  assert(!q.head && !q.tail);
  return 0;
}

//# ackermann_safe --unwind 12
int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); int k = ack(m, n - 1); return ack(m - 1, k); }
int main(void) { int n = __VERIFIER_nondet_uint() % 3; assert(ack(2, n) == 2 * n + 3); }

//# mccarthy_safe --unwind 5
int f(int n) { if (n > 100) return n - 10; int k = f(n + 11); return f(k); }
int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 100 && n <= 105); int r = f(n); assert(r == 91 || (n > 101 && r == n - 10)); }

//# towers_safe --unwind 8
int hanoi(int n) { if (n == 1) return 1; int k = hanoi(n - 1); return 2 * k + 1; }
int main(void) { int n = __VERIFIER_nondet_uint() % 6 + 1; assert(hanoi(n) == (1 << n) - 1); }

//# byte_addition_safe
unsigned add(unsigned a, unsigned b) {
  unsigned char x[4], y[4], z[4], carry = 0;
  for (int i = 0; i < 4; i++) { x[i] = a >> 8 * i; y[i] = b >> 8 * i; }
  for (int i = 0; i < 4; i++) { unsigned s = x[i] + y[i] + carry; z[i] = s; carry = s > 255; }
  unsigned r = 0;
  for (int i = 3; i >= 0; i--) r = r << 8 | z[i];
  return r;
}
int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (add(a, b) != a + b) reach_error(); }

//# byte_addition_violated
unsigned add(unsigned a, unsigned b) {
  unsigned r = 0; int carry = 0;
  for (int i = 0; i < 4; i++) {
    int s = (a >> 8 * i & 255) + (b >> 8 * i & 255) + carry;
    carry = s > 256; r |= (unsigned)(s & 255) << 8 * i;
  }
  return r;
}
int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (add(a, b) != a + b) reach_error(); } //! reach

//# bit_tricks_safe --unwind 17
int main(void) {
  unsigned x = __VERIFIER_nondet_uint() & 0xffff, n = 0;
  for (unsigned y = x; y; y &= y - 1) n++;
  unsigned v = x - (x >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = (v + (v >> 4) & 0x0f0f0f0f) * 0x01010101 >> 24;
  if (v != n) reach_error();
}

//# parity_violated --unwind 33
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), p = x ^ x >> 16; p ^= p >> 8; p ^= p >> 4; p &= 15;
  if ((0x6996 >> p & 1) != (0x6997 >> p & 1)) reach_error(); //! reach
}

//# handshake_states_safe --unwind 10
int main(void) {
  int state = 1000, blast = 0, rounds = 0;
  while (rounds++ < 8) {
    int in = __VERIFIER_nondet_int();
    switch (state) {
    case 1000: state = in > 0 ? 1010 : 1000; break;
    case 1010: if (in == 7) { blast = 1; state = 1020; } else state = 1100; break;
    case 1020: state = blast == 1 ? 1030 : 9999; blast = 2; break;
    case 1030: if (blast == 2) { state = 1040; blast = 3; } else reach_error(); break;
    case 1040: if (in < 0) state = 1000; else if (blast > 3) reach_error(); break;
    case 1100: state = 1000; blast = 0; break;
    default: reach_error();
    }
  }
}

//# handshake_states_violated --unwind 10
int main(void) {
  int state = 1000, blast = 0, rounds = 0;
  while (rounds++ < 8) {
    int in = __VERIFIER_nondet_int();
    switch (state) {
    case 1000: state = in > 0 ? 1010 : 1000; break;
    case 1010: if (in == 7) { blast++; state = 1020; } else state = 1000; break;
    case 1020: state = in == 3 ? 1000 : 1030; break;
    case 1030:
      if (blast > 1)
        reach_error(); //! reach
      state = 1000; blast = 0; break;
    }
  }
}

//# product_line_safe
static _Bool base = 1, encrypt, sign, forward;
struct mail { int from, to, key; _Bool encrypted, signed_; };
static void valid(void) { __VERIFIER_assume(base && (!encrypt || sign || !forward)); }
static void outgoing(struct mail *m) {
  if (encrypt && m->key) m->encrypted = 1;
  if (sign) m->signed_ = 1;
  if (forward) m->to = m->from;
}
int main(void) {
  encrypt = __VERIFIER_nondet_bool(); sign = __VERIFIER_nondet_bool(); forward = __VERIFIER_nondet_bool();
  valid();
  struct mail m = { 1, 2, __VERIFIER_nondet_int(), 0, 0 };
  outgoing(&m);
  if (m.encrypted && !m.key) reach_error();
  if (forward && m.to != 1) reach_error();
}

//# product_line_violated
static _Bool encrypt, sign, forward;
struct mail { int to, key; _Bool encrypted; };
static void outgoing(struct mail *m) { if (encrypt && m->key) m->encrypted = 1; if (forward) { m->to++; if (sign) m->key = 0; } }
int main(void) {
  encrypt = __VERIFIER_nondet_bool(); sign = __VERIFIER_nondet_bool(); forward = __VERIFIER_nondet_bool();
  struct mail m = { 2, __VERIFIER_nondet_int(), 0 };
  outgoing(&m);
  if (m.encrypted && !m.key) reach_error(); //! reach
}

//# event_scheduler_safe --unwind 9
enum { READY, WAITING, DONE };
int p_state = READY, c_state = READY, event, data, taken, count;
static void producer(void) { if (count < 3) { data = count++; event = 1; p_state = WAITING; } else p_state = DONE; }
static void consumer(void) { if (event) { if (data != taken) reach_error(); taken++; event = 0; c_state = WAITING; } else c_state = WAITING; }
int main(void) {
  for (int t = 0; t < 8; t++) {
    if (p_state == READY && __VERIFIER_nondet_bool()) producer();
    else if (c_state == READY) consumer();
    if (event && c_state == WAITING) c_state = READY;
    if (!event && p_state == WAITING) p_state = READY;
  }
  assert(taken <= count);
}

//# event_scheduler_violated --unwind 9
enum { READY, WAITING };
int p_state = READY, event, data, taken, count;
static void producer(void) { data = count++; event = 1; if (__VERIFIER_nondet_bool()) p_state = WAITING; }
static void consumer(void) {
  if (event) {
    if (data != taken)
      reach_error(); //! reach
    taken++; event = 0; p_state = READY;
  }
}
int main(void) {
  for (int t = 0; t < 8; t++)
    if (p_state == READY && __VERIFIER_nondet_bool()) producer(); else consumer();
}

//# locks_safe
int main(void) {
  int p1 = __VERIFIER_nondet_int(), l1 = 0, p2 = __VERIFIER_nondet_int(), l2 = 0, p3 = __VERIFIER_nondet_int(), l3 = 0;
  for (int i = 0; i < 4; i++) {
    l1 = l2 = l3 = 0;
    if (p1) l1 = 1;
    if (p2) l2 = 1;
    if (p3) l3 = 1;
    if (p1) { if (l1 != 1) goto ERROR; l1 = 0; }
    if (p2) { if (l2 != 1) goto ERROR; l2 = 0; }
    if (p3) { if (l3 != 1) goto ERROR; l3 = 0; }
  }
  return 0;
ERROR: reach_error();
}

//# ring_buffer_violated
struct ring { unsigned char data[4]; unsigned in, out; };
static int put(struct ring *r, int v) { if (r->in - r->out > 4) return 0; r->data[r->in++ % 4] = v; return 1; }
static int get(struct ring *r) { return r->data[r->out++ % 4]; }
int main(void) {
  struct ring r = { .in = 0 };
  int first = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_uint() % 6;
  put(&r, first);
  for (int i = 0; i < n; i++) put(&r, i);
  assert(get(&r) == first); //! assert
}

//# matrix_product_safe
int main(void) {
  int a[2][2], b[2][2], c[2][2] = { 0 };
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { a[i][j] = __VERIFIER_nondet_uchar(); b[i][j] = i == j; }
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) assert(c[i][j] == a[i][j]);
}

//# string_parsing_safe
int main(void) {
  char s[5];
  for (int i = 0; i < 4; i++) s[i] = __VERIFIER_nondet_uchar();
  s[4] = 0;
  int n = 0, i = 0;
  while (s[i] >= '0' && s[i] <= '9') n = 10 * n + (s[i++] - '0');
  assert(n >= 0 && n <= 9999 && i <= 4);
}

//# string_copy_violated
int main(void) {
  char from[6], to[4];
  for (int i = 0; i < 5; i++) from[i] = __VERIFIER_nondet_uchar();
  from[5] = 0;
  for (int i = 0; (to[i] = from[i]) != 0; i++) ; //! bounds
}

//# hash_table_safe
struct entry { int key, value; struct entry *next; };
struct entry *table[3];
static void put(int key, int value) {
  struct entry **slot = &table[(unsigned)key % 3], *e;
  for (e = *slot; e; e = e->next) if (e->key == key) { e->value = value; return; }
  e = malloc(sizeof *e); e->key = key; e->value = value; e->next = *slot; *slot = e;
}
static int get(int key) { for (struct entry *e = table[(unsigned)key % 3]; e; e = e->next) if (e->key == key) return e->value; return -1; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  put(a, 1); put(b, 2); put(a, 3);
  assert(get(a) == 3 && (a == b || get(b) == 2));
}
