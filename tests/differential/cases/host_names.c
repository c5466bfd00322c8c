/* What the machine is called, and buffers that are too small for that. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void) {
    char name[70], small[3];
    struct utsname system;
    assert(gethostname(name, sizeof name) == 0 && strlen(name) <= 64);
    if (gethostname(small, sizeof small) == 0)
        assert(strcmp(small, name) == 0);
    else
        assert(errno == ENAMETOOLONG && strlen(name) >= 3 && memcmp(small, name, 3) == 0);
    assert(gethostname(small, 0) == -1);
    assert(uname(&system) == 0 && strcmp(system.nodename, name) == 0 && strcmp(system.sysname, "Linux") == 0);
    printf("%s %d %d\n", system.nodename, (int)strlen(system.release), system.version[31]);
    return 0;
}
