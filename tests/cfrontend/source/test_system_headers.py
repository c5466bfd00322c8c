"""Every header of C11 and POSIX that gcc takes is read, alone and beside a call that no execution reaches."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import InputError
from cfrontend.host.child_processes import run_child_process
from cfrontend.program import encode_program, load_c_program
from cfrontend.terms import FALSE
from sfo.core.decode_model import decode_only_execution
from tests.conftest import require_tool

C11 = {
    "assert.h": "assert(0)",
    "complex.h": "cabs(0)",
    "ctype.h": "isalpha('a')",
    "errno.h": "errno",
    "fenv.h": "fegetround()",
    "float.h": "DBL_DIG",
    "inttypes.h": 'strtoimax("1", 0, 10)',
    "iso646.h": "not 1",
    "limits.h": "INT_MAX",
    "locale.h": "localeconv()->decimal_point",
    "math.h": "sin(1.0)",
    "setjmp.h": "sizeof(jmp_buf)",
    "signal.h": "raise(SIGINT)",
    "stdalign.h": "alignof(int)",
    "stdarg.h": "sizeof(va_list)",
    "stdatomic.h": "atomic_is_lock_free((atomic_int *)0)",
    "stdbool.h": "true",
    "stddef.h": "offsetof(struct { int a; }, a)",
    "stdint.h": "INT32_MAX",
    "stdio.h": 'popen("ls", "r")',
    "stdlib.h": 'mkstemp((char[]){"aXXXXXX"})',
    "stdnoreturn.h": "0",
    "string.h": "strsignal(3)",
    "tgmath.h": "sqrt(2.0)",
    "threads.h": "thrd_current()",
    "time.h": "clock_getres(CLOCK_MONOTONIC, 0)",
    "uchar.h": "mbrtoc16(0, 0, 0, 0)",
    "wchar.h": "mbrlen(0, 0, 0)",
    "wctype.h": 'wctype("alpha")',
}
POSIX = {
    "aio.h": "aio_cancel(1, 0)",
    "arpa/inet.h": "htonl(1)",
    "cpio.h": "C_IRUSR",
    "dirent.h": 'readdir(opendir("."))->d_name[0]',
    "dlfcn.h": 'dlopen("a", RTLD_NOW)',
    "fcntl.h": 'open("a", O_RDONLY)',
    "fmtmsg.h": "fmtmsg(MM_PRINT, 0, 0, 0, 0, 0)",
    "fnmatch.h": 'fnmatch("*", "a", 0)',
    "ftw.h": 'nftw(".", 0, 3, FTW_PHYS)',
    "glob.h": 'glob("*", 0, 0, 0)',
    "grp.h": "getgrgid(0)->gr_name",
    "iconv.h": 'iconv_open("a", "b")',
    "langinfo.h": "nl_langinfo(CODESET)",
    "libgen.h": 'dirname((char[]){"a/b"})',
    "monetary.h": 'strfmon(0, 0, "%n", 1.0)',
    "mqueue.h": 'mq_open("/a", 0)',
    "net/if.h": 'if_nametoindex("lo")',
    "netdb.h": "freeaddrinfo((struct addrinfo *)0)",
    "netinet/in.h": "sizeof(struct sockaddr_in6)",
    "netinet/tcp.h": "TCP_NODELAY",
    "nl_types.h": 'catopen("a", 0)',
    "poll.h": "poll((struct pollfd[1]){{0, POLLIN, 0}}, 1, 10)",
    "pthread.h": "pthread_rwlock_wrlock((pthread_rwlock_t *)0)",
    "pwd.h": "getpwuid(0)->pw_dir",
    "regex.h": 'regcomp((regex_t[1]){0}, "a", REG_EXTENDED)',
    "sched.h": "sched_yield()",
    "search.h": "hcreate(3)",
    "semaphore.h": "sem_post((sem_t *)0)",
    "spawn.h": "sizeof(posix_spawnattr_t)",
    "strings.h": "ffs(4)",
    "sys/ipc.h": 'ftok("a", 1)',
    "sys/mman.h": "mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)",
    "sys/msg.h": "msgget(1, IPC_CREAT)",
    "sys/resource.h": "getrlimit(RLIMIT_STACK, 0)",
    "sys/select.h": "select(0, (fd_set *)0, 0, 0, 0)",
    "sys/sem.h": "semget(1, 1, IPC_CREAT)",
    "sys/shm.h": "shmget(1, 1, IPC_CREAT)",
    "sys/socket.h": "socket(AF_INET, SOCK_STREAM, 0)",
    "sys/stat.h": 'stat("a", (struct stat[1]){0})',
    "sys/statvfs.h": 'statvfs("a", (struct statvfs[1]){0})',
    "sys/time.h": "setitimer(ITIMER_REAL, 0, 0)",
    "sys/times.h": "times(0)",
    "sys/types.h": "sizeof(pthread_attr_t)",
    "sys/uio.h": "writev(1, (struct iovec[1]){0}, 1)",
    "sys/un.h": "sizeof(struct sockaddr_un)",
    "sys/utsname.h": "uname((struct utsname[1]){0})",
    "sys/wait.h": "waitpid(-1, 0, WNOHANG)",
    "syslog.h": "LOG_MAKEPRI(LOG_USER, LOG_ERR)",
    "tar.h": "REGTYPE",
    "termios.h": "tcgetattr(0, (struct termios[1]){0})",
    "ulimit.h": "ulimit(UL_GETFSIZE)",
    "unistd.h": 'symlink("a", "b")',
    "utime.h": 'utime("a", 0)',
    "utmpx.h": "getutxent()->ut_user",
    "wordexp.h": 'wordexp("a", (wordexp_t[1]){0}, 0)',
}
GNU = {
    "byteswap.h": "bswap_32(1)",
    "endian.h": "htobe32(1)",
    "err.h": 'warnx("a")',
    "execinfo.h": "backtrace(0, 0)",
    "fts.h": "fts_open((char *[]){0}, FTS_PHYSICAL, 0)",
    "obstack.h": "sizeof(struct obstack)",
    "stdio_ext.h": "__fpending(stdout)",
    "sys/epoll.h": "epoll_create(1)",
    "sys/eventfd.h": "eventfd(0, 0)",
    "sys/inotify.h": "inotify_init()",
    "sys/queue.h": "sizeof(LIST_HEAD(a, b))",
    "sys/signalfd.h": "signalfd(-1, 0, 0)",
}
EVERY = {**C11, **POSIX, **GNU}


def taken_by_gcc(path: Path) -> bool:
    gcc = require_tool("gcc")
    return run_child_process([gcc, "-w", "-fsyntax-only", str(path)], seconds=60).code == 0


@pytest.mark.parametrize("asked", ["", "#define _GNU_SOURCE\n"], ids=["plain", "gnu"])
@pytest.mark.parametrize("header", EVERY)
@pytest.mark.sample(7)
def test_a_header_is_read_alone_and_beside_a_call_that_is_never_reached(
    header: str, asked: str, tmp_path: Path
) -> None:
    alone, used = tmp_path / "alone.c", tmp_path / "used.c"
    alone.write_text(f"{asked}#include <{header}>\nint main(void) {{ return 0; }}\n")
    extern = "#include <stdio.h>\n" if header == "stdio_ext.h" else ""
    used.write_text(
        f"{asked}{extern}#include <{header}>\n"
        f"void unused(void) {{ {EVERY[header]}; }}\nint main(void) {{ return 0; }}\n"
    )
    if not taken_by_gcc(alone):
        pytest.skip(f"no {header} on this machine")
    load_c_program([str(alone)], ProgramOptions())
    if taken_by_gcc(used):
        assert {"unused", "main"} <= load_c_program([str(used)], ProgramOptions()).goto.functions.keys()


def test_names_that_our_headers_leave_out_are_those_of_the_machine(tmp_path: Path) -> None:
    require_tool("gcc")
    path = tmp_path / "size.c"
    path.write_text(
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <sys/types.h>\n"
        "off_t size(FILE *f) { fseeko(f, 0, SEEK_DATA); return ftello(f); }\n"
        "int main(void) { return sizeof(loff_t) == 8 ? 0 : 1; }\n"
    )
    program = load_c_program([str(path)], ProgramOptions())
    assert program.options.preprocess.headers == "machine"
    # Declared as they are there, not as functions that return int.
    assert str(program.tree.functions["ftello"].type.result) == "long"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { return absent; }", "'absent' undeclared"),
        ("absent_t x; int main(void) { return 0; }", "unknown type name 'absent_t'"),
    ],
)
def test_what_the_machine_does_not_know_either_is_an_error_of_the_program(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.c"
    path.write_text("#include <stdio.h>\n" + text)
    with pytest.raises(InputError, match=message):
        load_c_program([str(path)], ProgramOptions())


def test_a_program_without_such_names_stays_with_our_headers(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text('#include <stdio.h>\nint twice(); int main(void) { return twice(2) - puts(""); }\n'
                    "int twice(int n) { return 2 * n; }\n")  # fmt: skip
    assert load_c_program([str(path)], ProgramOptions()).options.preprocess.headers == "ours"


def test_a_table_has_the_values_that_stand_in_it(tmp_path: Path) -> None:
    """Numbers in braces take a short way through the front end: signs, conversions and characters do not change."""
    path = tmp_path / "a.c"
    path.write_text(
        "#include <assert.h>\n"
        "static const unsigned char bytes[] = {255, 256, 'a', 0x41, 010, -1, 3 + 4, '\\377'};\n"
        "static const _Bool flags[] = {2, 0, 256};\n"
        "static const long wide[2][2] = {{4294967295, 1u}, {2147483648, 7}};\n"
        "struct { signed char low; float real; short high; } mixed[] = {{200, 3, 65535}};\n"
        "int main(void) {\n"
        "    assert(bytes[0] == 255 && bytes[1] == 0 && bytes[2] == 97 && bytes[3] == 65);\n"
        "    assert(bytes[4] == 8 && bytes[5] == 255 && bytes[6] == 7 && bytes[7] == 255);\n"
        "    assert(flags[0] == 1 && !flags[1] && flags[2] == 1 && sizeof bytes == 8);\n"
        "    assert(wide[0][0] == 4294967295 && wide[1][0] == 2147483648 && wide[1][1] == 7);\n"
        "    assert(mixed[0].low == -56 && mixed[0].real == 3.0f && mixed[0].high == -1);\n"
        "    return 0;\n}\n"
    )
    run = encode_program(
        load_c_program([str(path)], ProgramOptions()), Bound(unwind=1), inputs=EncodeFixedValues(())
    )
    assert [violation.property for violation in run.violations if violation.condition != FALSE] == []
    program = tmp_path / "a"
    assert run_child_process([require_tool("gcc"), "-w", str(path), "-o", str(program)], seconds=60).code == 0
    assert run_child_process([str(program)], seconds=60).code == 0


SCALARS_OF_VECTORS = """#include <immintrin.h>
#include <stdio.h>
int main(void)
{
    static const double values[] = {0, -0.5, 0.5, 1.5, 2.5, -2.5, 6.7, 2147483646.5, 2147483647, 2147483647.5, 2147483648.0,
        -2147483648.5, -2147483648.9, -2147483649.0, 1e30, -1e30, 1e300 * 1e300, 1e300 * 1e300 - 1e300 * 1e300};
    for (unsigned n = 0; n < sizeof values / sizeof *values; n++) {
        double x = values[n], d;
        float y = values[n], f;
        _mm_store_sd(&d, _mm_load_sd(&x));
        _mm_store_ss(&f, _mm_load_ss(&y));
        printf("%d %d %d %d", _mm_cvtsd_si32(_mm_set_sd(x)), _mm_cvttsd_si32(_mm_load_sd(&x)), _mm_cvtss_si32(_mm_set_ss(y)),
            _mm_cvttss_si32(_mm_load_ss(&y)));
        printf(" %d %d;", d == _mm_cvtsd_f64(_mm_set_sd(x)), f == _mm_cvtss_f32(_mm_set_ss(y)));
    }
    return 0;
}
"""


def test_scalar_intrinsics_are_what_gcc_computes(tmp_path: Path) -> None:
    require_tool("gcc")
    (tmp_path / "a.c").write_text(SCALARS_OF_VECTORS)
    built = run_child_process(["gcc", "-msse2", "-o", "a", "a.c"], seconds=60, cwd=tmp_path)
    assert built.code == 0, built.complaint
    printed = run_child_process([str(tmp_path / "a")], seconds=60, cwd=tmp_path).text
    program = load_c_program([str(tmp_path / "a.c")], ProgramOptions())
    encoded = encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(()))
    assert decode_only_execution(encoded, 1).output == printed
