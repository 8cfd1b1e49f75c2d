/* Runs a fuzzer over files and the files of folders, each within a limit of processor time: what the fuzzers once
 * found, again in every build.
 *
 *     fuzz_NAME SECONDS PATH...
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

#define LONGEST 512

static char current[LONGEST]; /* what is being run */

static void overdue(int number) {
    (void)number;
    dprintf(STDERR_FILENO, "%s: takes too long\n", current);
    abort();
}

static void broken(int number) {
    dprintf(STDERR_FILENO, "%s: ends with signal %d\n", current, number);
    signal(number, SIG_DFL);
    raise(number);
}

static void run_file(const char *path, unsigned seconds) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    CHECK(file && fstat(fileno(file), &about) == 0);
    uint8_t *bytes = malloc((size_t)about.st_size + 1), *exact;
    const size_t size = bytes ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
    fclose(file);
    CHECK(size == (size_t)about.st_size);
    exact = malloc(size); /* so that a byte read behind the end is found */
    CHECK(exact || !size);
    if (size)
        memcpy(exact, bytes, size);
    free(bytes);
    snprintf(current, sizeof current, "%s", path);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
    LLVMFuzzerTestOneInput(exact, size);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    free(exact);
}

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
    size_t files = 0;
    CHECK(argc > 2);
    const unsigned seconds = (unsigned)atoi(argv[1]);
    signal(SIGPROF, overdue);
    signal(SIGABRT, broken);
    for (int a = 2; a < argc; a++) {
        struct dirent **entry;
        struct stat about;
        CHECK(stat(argv[a], &about) == 0);
        if (!S_ISDIR(about.st_mode)) {
            run_file(argv[a], seconds);
            files++;
            continue;
        }
        const int found = scandir(argv[a], &entry, is_shown, alphasort);
        CHECK(found > 0); /* an empty corpus tests nothing */
        for (int i = 0; i < found; i++) {
            char path[LONGEST];
            CHECK(snprintf(path, sizeof path, "%s/%s", argv[a], entry[i]->d_name) < LONGEST);
            run_file(path, seconds);
            free(entry[i]);
            files++;
        }
        free(entry);
    }
    printf("%zu files\n", files);
    return 0;
}
