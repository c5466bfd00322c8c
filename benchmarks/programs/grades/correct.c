#include <assert.h>
#include <stdio.h>

#define MOST 4

struct summary {
    int count;
    int best;
    int worst;
    int mean;
    int passed;
};

static char letter(int mark)
{
    if (mark >= 90)
        return 'A';
    if (mark >= 75)
        return 'B';
    if (mark >= 60)
        return 'C';
    if (mark >= 50)
        return 'D';
    return 'F';
}

/* Reads marks until a negative one or until there is no room. */
static int read_marks(int *marks)
{
    int n = 0;
    int mark;

    while (n < MOST) {
        printf("mark %d: ", n + 1);
        if (scanf("%d", &mark) != 1)
            break;
        if (mark < 0)
            break;
        if (mark > 100) {
            printf("marks above 100 count as 100\n");
            mark = 100;
        }
        marks[n] = mark;
        n++;
    }
    return n;
}

static struct summary summarise(const int *marks, int n)
{
    struct summary s = {0, 0, 100, 0, 0};
    int sum = 0;
    int i;

    s.count = n;
    for (i = 0; i < n; i++) {
        sum += marks[i];
        if (marks[i] > s.best)
            s.best = marks[i];
        if (marks[i] < s.worst)
            s.worst = marks[i];
        if (letter(marks[i]) != 'F')
            s.passed++;
    }
    if (n > 0)
        s.mean = (sum + n / 2) / n;
    return s;
}

static void report(const int *marks, const struct summary *s)
{
    int i;

    for (i = 0; i < s->count; i++)
        printf("%3d %c\n", marks[i], letter(marks[i]));
    printf("best %d, worst %d, mean %d, passed %d of %d\n", s->best, s->worst, s->mean, s->passed, s->count);
}

int main(void)
{
    int marks[MOST];
    int n = read_marks(marks);
    int i;
    int passed = 0, best = 0, worst = 0;
    struct summary s;

    if (n == 0) {
        printf("no marks\n");
        return 1;
    }
    s = summarise(marks, n);
    report(marks, &s);

    assert(s.worst <= s.mean && s.mean <= s.best);
    for (i = 0; i < n; i++) {
        assert(marks[i] >= 0 && marks[i] <= 100);
        assert(s.worst <= marks[i] && marks[i] <= s.best);
        assert((letter(marks[i]) == 'F') == (marks[i] < 50));
        passed += marks[i] >= 50;
        best |= marks[i] == s.best;
        worst |= marks[i] == s.worst;
    }
    assert(best && worst);
    assert(s.passed == passed);
    if (n == 1)
        assert(s.mean == marks[0]);
    return 0;
}
