#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define COUNT 4

struct tree {
    int key;
    int times;
    struct tree *left;
    struct tree *right;
};

static int live;

static struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);
    if (t == NULL)
        exit(1);
    t->key = key;
    t->times = 1;
    t->left = NULL;
    t->right = NULL;
    live++;
    return t;
}

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL)
        return leaf(key);
    if (key == t->key)
        t->times++;
    else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

static int contains(const struct tree *t, int key)
{
    while (t != NULL && t->key != key) {
        if (key < t->key)
            t = t->left;
        else
            t = t->right;
    }
    return t != NULL;
}

static int height(const struct tree *t)
{
    int left, right;

    if (t == NULL)
        return 0;
    left = height(t->left);
    right = height(t->right);
    return 1 + (left > right ? left : right);
}

/* Writes the keys in ascending order; returns how many there are. */
static int walk(const struct tree *t, int *out, int n)
{
    int k;

    if (t == NULL)
        return n;
    n = walk(t->left, out, n);
    for (k = 0; k < t->times; k++)
        out[n++] = t->key;
    return walk(t->right, out, n);
}

static struct tree *remove_least(struct tree *t)
{
    struct tree *rest;

    if (t->left != NULL) {
        remove_least(t->left);
        return t;
    }
    rest = t->right;
    free(t);
    live--;
    return rest;
}

int main(void)
{
    struct tree *root = NULL;
    int keys[COUNT];
    int sorted[COUNT];
    int distinct = 0;
    int i, n;

    for (i = 0; i < COUNT; i++) {
        keys[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(keys[i] >= 0 && keys[i] < 16);
        if (!contains(root, keys[i]))
            distinct++;
        root = insert(root, keys[i]);
    }
    assert(live == distinct);
    assert(height(root) >= 1 && height(root) <= distinct);
    if (root->left != NULL && root->right != NULL)
        assert(height(root) < distinct);
    for (i = 0; i < COUNT; i++)
        assert(contains(root, keys[i]));

    n = walk(root, sorted, 0);
    assert(n == COUNT);
    for (i = 1; i < COUNT; i++)
        assert(sorted[i - 1] <= sorted[i]);

    while (root != NULL)
        root = remove_least(root);
    assert(live == 0);
    return 0;
}
