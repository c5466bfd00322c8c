// A file is read to its end, and again from the beginning; signals that are raised.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;

static void note(int number)
{
    seen += number;
}

int main(void)
{
    FILE *file = fopen("text", "r");
    long size, read, lines = 0;
    int c;
    char *text;
    if (signal(SIGINT, note) == SIG_ERR || signal(SIGTERM, SIG_IGN) != SIG_DFL)
        return 3;
    if (file == NULL)
        return 1;
    c = getc(file);
    printf("%d at %ld\n", c, ftell(file));
    if (c == 'q')
        raise(SIGINT);
    raise(SIGTERM);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = malloc(size + 1);
    read = fread(text, 1, size, file);
    text[read] = 0;
    assert(read == size && (size == 0 || text[0] == (char)c));
    assert(fseek(stdin, 0, SEEK_SET) == -1 && errno == ESPIPE);
    for (long n = 0; n < size; n++)
        lines += text[n] == '\n';
    if (fseek(file, -1, SEEK_END) == 0) {
        fpos_t place;
        int known = fgetpos(file, &place), last = fgetc(file);
        printf("ends with %d\n", last);
        assert(known == 0 && fsetpos(file, &place) == 0 && fgetc(file) == last);
    }
    printf("%ld bytes, %ld lines, %d\n", size, lines, (int)seen);
    assert(lines < 2);
    fclose(file);
    free(text);
    return 0;
}
