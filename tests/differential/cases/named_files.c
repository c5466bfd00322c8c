// Files by name: there or not, read by characters, lines, words and numbers, written, and closed.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void show(FILE *out, int n)
{
    fprintf(out, "%d of %s\n", n, "all");
    fputc('x', out);
    putc('\n', out);
    fputs("end\n", out);
}

int main(void)
{
    char word[4], line[6];
    int n = 0, found;
    FILE *in = fopen("in.txt", "r"), *out;
    if (in == NULL) {
        show(stdout, -1);
        return 1;
    }
    if (fgetc(in) == 'x')
        n = 1;
    found = fscanf(in, "%3s %d", word, &n);
    show(stdout, found);
    if (found == EOF) {
        assert(feof(in));
        show(stderr, found);
    }
    if (found == 2 && fgets(line, sizeof line, in) != NULL)
        printf("%s", line);
    assert(found != 2 || n != 3);
    fclose(in);
    out = fopen("out.txt", "w");
    if (out == NULL)
        return 2;
    show(out, n);
    assert(fgetc(out) == EOF);
    return fclose(out);
}
