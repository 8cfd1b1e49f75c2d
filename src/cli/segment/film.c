/* A film on the command line: ffmpeg, where it is installed, takes its frames out into a folder. */
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* 1 for a file that is not named as an image or an array. */
static int is_film(const char *path, struct stat *about) {
    return !seg_stem(path, SEG_TRUTH_ENDINGS) && stat(path, about) == 0 && S_ISREG(about->st_mode);
}

/* How ffmpeg ended; -1: it could not be started. */
static int run_ffmpeg(const char *film, const char *folder) {
    const char *const words[] = {"ffmpeg",    "-nostdin",    "-v",       "quiet", "-i",       film,
                                 "-fps_mode", "passthrough", "-pix_fmt", "rgb24", "%05d.png", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int how = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder); /* whose name may have a % */
    if (posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0)
        while (waitpid(child, &how, 0) < 0 && errno == EINTR)
            if (cli_interrupted())
                kill(child, SIGTERM);
    posix_spawn_file_actions_destroy(&actions);
    return how;
}

static void remove_frames(const char *folder) {
    SEG_RELEASED(seg_listing_free) seg_listing names = {0};
    const int known = cli_list_names(folder, &names) == CLI_GO_ON;
    for (int i = 0; known && i < names.count; i++) {
        SEG_FREED char *path = seg_format(NULL, "%s/%s", folder, names.entry[i]->d_name);
        if (path)
            unlink(path);
    }
    rmdir(folder);
}

/* Make the folder; it has all frames, or is not there. */
static cli_end take_frames(const char *film, const char *folder) {
    SEG_FREED char *beside = seg_format(NULL, "%s.XXXXXX", folder);
    SEG_FREED char *whole = realpath(film, NULL), *name = whole ? seg_format(NULL, "file:%s", whole) : NULL;
    CLI_TRY(cli_allocated(beside && name));
    if (!mkdtemp(beside))
        return cli_refuse(CLI_FAILED, "cannot make a folder '%s': %s", folder, strerror(errno));
    cli_catch_signals();
    const int how = run_ffmpeg(name, beside);
    const mode_t mask = umask(0);
    umask(mask);
    if (how == 0 && chmod(beside, 0777 & ~mask) == 0 && rename(beside, folder) == 0)
        return CLI_GO_ON;
    remove_frames(beside);
    CLI_TRY(cli_before_writing());
    if (how < 0)
        return cli_refuse(CLI_INPUT,
                          "'%s' is not an image, and ffmpeg, which reads films, cannot be started: "
                          "install Debian's ffmpeg, or give a folder of frames",
                          film);
    return cli_refuse(CLI_INPUT, "ffmpeg finds no frames in '%s', or '%s' cannot be written; 'ffmpeg -i %s' says more",
                      film, folder, film);
}

cli_end cli_film_frames(cli_photo_options *options) {
    struct stat film, there;
    if (!options->segment.video || !is_film(options->photo, &film))
        return CLI_GO_ON;
    const char *folder = cli_photo_own(options, cli_default_name(options->photo, "-frames"));
    if (!folder)
        return CLI_FAILED;
    const int known = stat(folder, &there) == 0;
    if (known && there.st_mtime < film.st_mtime)
        return cli_refuse(CLI_INPUT, "the frames in '%s' are older than '%s'; take the folder away", folder,
                          options->photo);
    if (!known)
        CLI_TRY(take_frames(options->photo, folder));
    if (cli_verbosity(&options->common) >= 0)
        cli_say(
            known ? "the frames of '%s' are taken from '%s', which was there; if they are another film's, take it away"
                  : "the frames of '%s' are in '%s'",
            options->photo, folder);
    options->photo = options->common.words.at[0] = folder;
    return CLI_GO_ON;
}
