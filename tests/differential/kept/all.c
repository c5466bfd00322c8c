// Files that are written and read again: text and records, appended to, updated in place, moved in, renamed, removed.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { int id; char name[6]; double price; };

static int lines_of(const char *name)
{
    FILE *file = fopen(name, "r");
    int c, lines = 0;
    if (file == NULL)
        return -1;
    while ((c = getc(file)) != EOF)
        lines += c == '\n';
    assert(feof(file) && !ferror(file));
    fclose(file);
    return lines;
}

static int text(int n)
{
    char word[10], line[80];
    int found, number = -1, rest;
    float half = 0;
    FILE *file = fopen("text", "w");
    if (file == NULL)
        return 1;
    fprintf(file, "%d %s %5.1f|%-4x|\n", n, "word", 2.5, 255);
    fputs("second line\n", file);
    fputc('x', file);
    putc('\n', file);
    assert(fprintf(file, "%03d\n", 7) == 4);
    assert(fgetc(file) == EOF && ferror(file) && !feof(file));
    printf("%ld\n", ftell(file));
    fclose(file);
    printf("%d lines\n", lines_of("text"));
    file = fopen("./text", "a");
    if (file == NULL)
        return 2;
    fprintf(file, "%c%s", 'e', "nd 12 -");
    fclose(file);
    file = fopen("text", "r");
    if (file == NULL)
        return 3;
    found = fscanf(file, "%d %9s %f", &number, word, &half);
    printf("%d: %d %s %d\n", found, number, word, (int)(half * 2));
    assert(number == n);
    while (fgets(line, sizeof line, file) != NULL)
        printf("<%s>", line);
    assert(feof(file));
    assert(fputs("lost", file) == EOF && ferror(file));
    rewind(file);
    found = fscanf(file, "%*d%*s%*f%8[^\n]%n", line, &rest);
    printf("%d %d %s\n", found, rest, line);
    fseek(file, -4, SEEK_END);
    found = fscanf(file, "%d", &number);
    printf("%d %d %d", found, number, feof(file) != 0);
    found = fscanf(file, "%d", &number);
    printf(" %d %d\n", found, feof(file) != 0);
    fclose(file);
    return 0;
}

static int records(int n, int place)
{
    struct record all[4] = {{1, "one", 1.5}, {2, "two", 2.5}, {3, "three", 3.5}}, one = {9, "new", 0.25};
    size_t found;
    int sum = 0;
    FILE *file = fopen("records", "wb+");
    if (file == NULL)
        return 4;
    all[1].id = n;
    assert(fwrite(all, sizeof *all, 3, file) == 3);
    fseeko(file, place * (long)sizeof one, SEEK_SET);
    fwrite(&one, sizeof one, 1, file);
    printf("%ld\n", (long)ftello(file) / (long)sizeof one);
    rewind(file);
    memset(all, 1, sizeof all);
    found = fread(all, sizeof *all, 4, file);
    for (size_t k = 0; k < found; k++) {
        printf("%d %s %d\n", all[k].id, all[k].name, (int)(all[k].price * 4));
        sum += all[k].id == n;
    }
    fclose(file);
    assert(n == 9 || n == 1 || n == 3 || n == 0 || sum == (place != 1));
    return 0;
}

static int moved(void)
{
    char word[8] = "";
    FILE *file = fopen("old", "w"), *other;
    if (file == NULL)
        return 5;
    fputs("abc", file);
    other = fopen("old", "r");
    assert(other != NULL && fgetc(other) == EOF);
    fclose(other);
    fflush(file);
    other = fopen("old", "r");
    assert(other != NULL && fgetc(other) == 'a');
    fclose(other);
    fclose(file);
    if (rename("old", "new") != 0)
        return 6;
    assert(fopen("old", "r") == NULL && errno == ENOENT);
    file = fopen("new", "r+");
    if (file == NULL)
        return 7;
    fgetc(file);
    fseek(file, 0, SEEK_CUR);
    fputc('X', file);
    fseek(file, 0, SEEK_END);
    fputc('!', file);
    rewind(file);
    assert(fscanf(file, "%7s", word) == 1 && feof(file));
    printf("%s\n", word);
    fclose(file);
    assert(remove("new") == 0 && fopen("new", "r+") == NULL);
    file = fopen("new", "a+");
    assert(file != NULL && fgetc(file) == EOF);
    fputs("12", file);
    rewind(file);
    fputs("3", file);
    fseek(file, 1, SEEK_SET);
    printf("%c\n", fgetc(file));
    fclose(file);
    return lines_of("new");
}

int main(void)
{
    int n = 0, place = 0, end;
    FILE *file;
    if (scanf("%d %d", &n, &place) != 2 || place < 0 || place > 3)
        return 1;
    if ((end = text(n)) != 0 || (end = records(n, place)) != 0 || (end = moved()) != 0)
        return end;
    file = tmpfile();
    if (file == NULL)
        return 8;
    fprintf(file, "%d\n%d\n", n, place);
    rewind(file);
    assert(fscanf(file, "%d%d", &n, &place) == 2);
    fclose(file);
    file = fopen("unknown", "a+");
    if (file == NULL)
        return 9;
    fputs("z\n", file);
    fseek(file, 0, SEEK_SET);
    printf("first %d\n", fgetc(file));
    fclose(file);
    n = lines_of("unknown");
    printf("%d\n", n);
    assert(n > 0 && n < 4);
    return 0;
}
