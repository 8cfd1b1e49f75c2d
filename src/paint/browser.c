#include "paint/browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Twice removed, so that nobody has to wait for it, and silent. */
static void run_detached(const char *address) {
    static const char *const openers[] = {"xdg-open", "x-www-browser", "firefox", "chromium"};
    const int nowhere = open("/dev/null", O_RDWR);
    if (fork() != 0)
        _exit(0);
    setsid();
    for (int stream = 0; stream < 3 && nowhere >= 0; stream++)
        dup2(nowhere, stream);
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        execlp(openers[i], openers[i], address, (char *)NULL);
    _exit(0);
}

void paint_browser_open(const char *address) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    const pid_t child = fork();
    if (child == 0)
        run_detached(address);
    if (child > 0)
        waitpid(child, NULL, 0);
}
