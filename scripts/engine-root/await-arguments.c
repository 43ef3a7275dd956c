/*
 * Lets a program wait for its arguments. Loaded ahead of a program with LD_PRELOAD, it stops the program just before its
 * main function, with all libraries linked, and goes on when a request comes in on standard input. Linking is most of
 * the time that short runs take, so the worker starts programs before it knows what they are to do.
 *
 * A request is two numbers of four bytes in the machine's own order, the number of words and the bytes they take
 * together, and then the words, each ended by a zero byte: the largest file the program may write, and what follows the
 * arguments it was started with. After that standard input is empty and the working directory is /job.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* What shells say of a program that cannot be run. */
enum { cannot_run = 126 };

static void read_all(void *into, size_t bytes) {
  char *at = into;
  while (bytes > 0) {
    ssize_t got = read(STDIN_FILENO, at, bytes);
    /* The worker is gone, or does not need this program after all. */
    if (got <= 0) _exit(cannot_run);
    at += got;
    bytes -= (size_t)got;
  }
}

static void limit_files(const char *bytes) {
  rlim_t limit = strtoull(bytes, NULL, 10);
  struct rlimit limits = {.rlim_cur = limit, .rlim_max = limit};
  if (setrlimit(RLIMIT_FSIZE, &limits) != 0) _exit(cannot_run);
}

static void empty_stdin(void) {
  int empty = open("/dev/null", O_RDONLY);
  if (empty < 0 || dup2(empty, STDIN_FILENO) < 0) _exit(cannot_run);
  close(empty);
}

/* Programs that this one starts do not wait. By hand, because some programs have an unsetenv of their own. */
static void forget_preload(void) {
  char **to = environ;
  for (char **from = environ; *from != NULL; from++) {
    if (strncmp(*from, "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0) *to++ = *from;
  }
  *to = NULL;
}

/* The C library's own function of this name runs the program; this one is found first. */
int __libc_start_main(main_function run, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_function start = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
  uint32_t words, bytes;
  read_all(&words, sizeof words);
  read_all(&bytes, sizeof bytes);
  char *text = malloc(bytes);
  char **all = calloc((size_t)argc + words + 1, sizeof *all);
  if (start == NULL || text == NULL || all == NULL || words == 0 || bytes == 0) _exit(cannot_run);
  read_all(text, bytes);
  if (text[bytes - 1] != '\0') _exit(cannot_run);

  memcpy(all, argv, (size_t)argc * sizeof *all);
  int count = argc;
  const int most = argc + (int)words - 1;
  const char *end = text + bytes;
  for (char *at = text + strlen(text) + 1; at < end && count < most; at += strlen(at) + 1) all[count++] = at;
  if (count != most) _exit(cannot_run);

  limit_files(text);
  empty_stdin();
  if (chdir("/job") != 0) _exit(cannot_run);
  forget_preload();
  return start(run, count, all, init, fini, rtld_fini, stack_end);
}
