/* Everything that a program under test may do to the one who runs it. The first argument says what, the second is
   the file with the test. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void detach(void) {
    if (fork()) return;
    setsid();
    if (fork()) _exit(0);
    for (;;) sleep(100);
}

static void fill(const char *name) {
    static char block[1 << 20];
    FILE *file = fopen(name, "w");
    while (file && fwrite(block, 1, sizeof block, file) == sizeof block) fflush(file);
}

/* Bombs of tests do not go off for good: at most this number of forks. */
static int *forks;
static int may_fork(void) {
    if (!forks) forks = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return __atomic_fetch_add(forks, 1, __ATOMIC_SEQ_CST) < 400;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    const char *test = argc > 2 ? argv[2] : "";
    const char *temp = getenv("TMPDIR");
    char name[4096];
#define IS(text) (!strcmp(mode, text))
    if (IS("exit")) return atoi(test);
    if (IS("hang")) for (;;) sleep(100);
    if (IS("spin")) for (;;) {}
    if (IS("ignore")) { for (int s = 1; s < 32; s++) signal(s, SIG_IGN); for (;;) sleep(100); }
    if (IS("stop")) { raise(SIGSTOP); for (;;) sleep(100); }
    if (IS("detach")) { detach(); return 0; }
    if (IS("detach-and-hold")) { detach(); detach(); puts("x"); return 3; }
    if (IS("allocate")) for (;;) { char *p = malloc(1 << 22); if (!p) abort(); memset(p, 1, 1 << 22); }
    if (IS("write")) for (;;) fputs("0123456789012345678901234567890123456789\n", stdout);
    if (IS("write-error")) for (;;) fputs("0123456789012345678901234567890123456789\n", stderr);
    if (IS("fill")) { snprintf(name, sizeof name, "%s/big", temp); fill(name); return 9; }
    if (IS("fill-many")) for (int i = 0;; i++) {
        static char block[1 << 20];
        snprintf(name, sizeof name, "%s/file%d", temp, i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        for (int k = 0; k < 4; k++) if (write(fd, block, sizeof block) < 0) return 9;
        close(fd);
    }
    if (IS("close")) { close(0); close(1); close(2); sleep(100); }
    if (IS("signal")) { signal(atoi(test), SIG_DFL); kill(getpid(), atoi(test)); sleep(100); }
    if (IS("abort")) { fputs("assertion failed\n", stderr); abort(); }
    if (IS("terminal")) { int fd = open("/dev/tty", O_RDWR); if (fd < 0) return 4; sleep(100); }
    if (IS("kill-group")) { kill(0, SIGKILL); sleep(100); }
    if (IS("kill-all")) { int r = kill(-1, SIGKILL); return r && errno == EACCES ? 5 : 6; }
    if (IS("kill-parent")) { int r = kill(getppid(), SIGKILL); return r && errno == EPERM ? 5 : 6; }
    if (IS("delete")) { int r = unlink(test); return r && errno == EACCES ? 5 : 6; }
    if (IS("create")) { int fd = open(test, O_CREAT | O_WRONLY, 0600); return fd < 0 && errno == EACCES ? 5 : 6; }
    if (IS("network")) { int fd = socket(AF_INET, SOCK_STREAM, 0); return fd < 0 && errno == EACCES ? 5 : 6; }
    if (IS("local-socket")) { int fd = socket(AF_UNIX, SOCK_STREAM, 0); return fd < 0 ? 5 : 6; }
    if (IS("fork")) for (;;) { if (may_fork()) fork(); else sleep(100); }
    if (IS("fork-sessions")) for (;;) { if (!may_fork()) sleep(100); if (!fork()) setsid(); else usleep(200); }
    if (IS("litter")) {
        for (int i = 0; i < 300; i++) { if (chdir(temp) && i == 0) return 9; mkdir("d", 0700); if (chdir("d")) return 9; temp = "."; }
        return 0;
    }
    if (IS("read")) { FILE *file = fopen(test, "r"); int c = file ? fgetc(file) : 'x'; return c == 'a' ? 0 : 1; }
    return 99;
}
