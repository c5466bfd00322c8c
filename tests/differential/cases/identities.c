/* A program gives up what it may do: identities of users and groups. */
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    uid_t real = getuid(), acting = geteuid();
    if (setreuid(acting, real) == 0)
        assert(getuid() == acting && geteuid() == real);
    if (seteuid(acting) == 0)
        assert(geteuid() == acting);
    assert(setgid(getgid()) == 0 && getegid() == getgid());
    assert(setuid((uid_t)-1) == -1 && errno == EINVAL);
    if (setuid(real) != 0)
        assert(errno == EPERM);
    else if (real != 0)
        assert(geteuid() == real);
    if (geteuid() == 0)
        assert(setegid(7) == 0 && getegid() == 7);
    assert(setregid((gid_t)-1, (gid_t)-1) == 0);
    return 0;
}
