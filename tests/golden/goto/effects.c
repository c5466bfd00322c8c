int g;
int next(void) { return ++g; }
int add(int a, int b) { return a + b; }
int main(void)
{
    int a[4] = {1, 2};
    int i = 0;
    a[i++] = add(next(), g) + i;
    int c = i && next() ? i : -1;
    a[1] += next();
    return c, a[i];
}
