// Records that are written, updated in place, read again, and moved to another name.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct record { int id; char name[6]; double price; };

int main(void)
{
    struct record all[4] = {{1, "one", 1.5}, {2, "two", 2.5}, {3, "three", 3.5}}, one = {9, "new", 0.25};
    int n = 0, place = 0, sum = 0;
    size_t found;
    FILE *file;
    if (scanf("%d %d", &n, &place) != 2 || place < 0 || place > 3)
        return 1;
    file = fopen("records", "wb+");
    if (file == NULL)
        return 2;
    all[1].id = n;
    assert(fwrite(all, sizeof *all, 3, file) == 3);
    fseek(file, place * (long)sizeof one, SEEK_SET);
    fwrite(&one, sizeof one, 1, file);
    printf("%ld\n", ftell(file) / (long)sizeof one);
    rewind(file);
    memset(all, 1, sizeof all);
    found = fread(all, sizeof *all, 4, file);
    for (size_t k = 0; k < found; k++) {
        printf("%d %s %d\n", all[k].id, all[k].name, (int)(all[k].price * 4));
        sum += all[k].id == n;
    }
    fclose(file);
    assert(rename("records", "moved") == 0);
    assert(fopen("records", "rb") == NULL && errno == ENOENT);
    file = fopen("./moved", "rb");
    assert(file != NULL && fread(&one, sizeof one, 1, file) == 1);
    fclose(file);
    assert(remove("moved") == 0 && fopen("moved", "rb+") == NULL);
    file = tmpfile();
    if (file == NULL)
        return 3;
    fwrite(&one.id, sizeof one.id, 1, file);
    rewind(file);
    assert(fread(&n, sizeof n, 1, file) == 1 && n == one.id && getc(file) == EOF && feof(file));
    fclose(file);
    assert(sum != 1 || place == 0);
    return 0;
}
