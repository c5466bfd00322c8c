/* Questions about files and about who asks: answers are inputs, and agree with each other. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int ask(const char *path, int mode)
{
    errno = 0;
    int answer = access(path, mode);
    printf("%s %d: %d %d\n", path, mode, answer, errno);
    return answer == 0;
}

int main(void)
{
    FILE *made = fopen("made", "w");
    if (made != NULL) {
        fputs("x", made);
        fclose(made);
        assert(ask("made", F_OK) && ask("made", R_OK | W_OK));
        if (unlink("made") == 0)
            assert(!ask("made", F_OK));
    }
    if (ask("other", R_OK)) {
        FILE *other = fopen("other", "r");
        printf("%d\n", other != NULL);
        assert(other != NULL);
    }
    errno = 0;
    printf("%d %d\n", access("other", 64), errno == EINVAL);
    assert(getuid() == getuid() && getppid() > 0);
    printf("%d %d\n", geteuid() == 0, (int)getgid() >= 0 && (int)getegid() >= 0);
    return 0;
}
