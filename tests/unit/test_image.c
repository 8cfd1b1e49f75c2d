/* image: files are read and written whole, content is told apart, masks and images are written exactly. */
#include "check.h"
#include "image_makers.h"

#include "image/file.h"
#include "image/mask.h"
#include "image/raster.h"
#include "image/shrink.h"
#include "image_in_memory.h"

#include <segment/overlay.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define FOLDER SEGMENT_BINARY_DIR "/image_files"

BEFORE_ALL {
    assert_true(mkdir(FOLDER, 0777) == 0 || errno == EEXIST);
}

/* Files in the folder, those of this library's writer among them. */
static int entries(void) {
    DIR *folder = opendir(FOLDER);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *e = readdir(folder); e; e = readdir(folder))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(folder);
    return count;
}

AFTER_ALL {
    assert_int_equal(entries(), 0);
}

static void check_message(const seg_context *ctx, const char *name, const char *expected) {
    if (!strstr(ctx->message, name) || !strstr(ctx->message, expected))
        fail_msg("'%s' lacks '%s' or '%s'", ctx->message, name, expected);
}

TEST(reading_whole_files) {
    unsigned char *bytes, *written = malloc(200001);
    size_t size;
    const size_t sizes[] = {1, 65535, 65536, 65537, 200001};
    for (size_t i = 0; i < 200001; i++)
        written[i] = (unsigned char)(i * i >> 3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_ok(&ctx, seg_file_write(&ctx, FOLDER "/whole", written, sizes[i]));
        for (int standard = 0; standard < 2; standard++) {
            int kept = dup(STDIN_FILENO), from = open(FOLDER "/whole", O_RDONLY);
            dup2(from, STDIN_FILENO);
            assert_ok(&ctx, seg_file_read(&ctx, standard ? "-" : FOLDER "/whole", &bytes, &size));
            dup2(kept, STDIN_FILENO);
            close(kept);
            close(from);
            assert_int_equal(size, sizes[i]);
            assert_memory_equal(bytes, written, size);
            free(bytes);
        }
    }
    /* a pipe has no size beforehand */
    int ends[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], written, 5000), 5000);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    assert_ok(&ctx, seg_file_read(&ctx, "-", &bytes, &size));
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
    assert_int_equal(size, 5000);
    assert_memory_equal(bytes, written, size);
    free(bytes);
    free(written);
    unlink(FOLDER "/whole");
}

TEST(reading_fails_clearly) {
    seg_image image;
    assert_int_equal(seg_image_read(&ctx, FOLDER "/none.png", &image), SEG_ERR_IO);
    check_message(&ctx, "/none.png", "No such file");
    assert_int_equal(seg_image_read(&ctx, FOLDER, &image), SEG_ERR_IO);
    check_message(&ctx, FOLDER, "is a folder");
    assert_ok(&ctx, seg_file_write(&ctx, FOLDER "/empty.png", "", 0));
    assert_int_equal(seg_image_read(&ctx, FOLDER "/empty.png", &image), SEG_ERR_INPUT);
    check_message(&ctx, "/empty.png", "is empty");
    assert_int_equal(seg_image_read(&ctx, "/dev/null", &image), SEG_ERR_INPUT);
    check_message(&ctx, "/dev/null", "is empty");
    assert_int_equal(truncate(FOLDER "/empty.png", ((off_t)1 << 30) + 1), 0); /* a hole: takes no room */
    assert_int_equal(seg_image_read(&ctx, FOLDER "/empty.png", &image), SEG_ERR_INPUT);
    check_message(&ctx, "/empty.png", "1 GiB");
    assert_null(image.data);
    unlink(FOLDER "/empty.png");
}

TEST(content_is_named) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *expected;
    } files[] = {
        {"\0\0\0\x18"
         "ftypisom\0\0\0\0",
         16, "film"},
        {"%PDF-1.7\n", 9, "PDF"},
        {"Dear image,\n", 12, "text"},
        {"\1\2\3\4", 4, "no known kind"},
        {"\x89", 1, "no known kind"},
    };
    seg_image image;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        memset(&image, 1, sizeof image);
        assert_int_equal(image_read_memory(&ctx, files[i].bytes, files[i].size, "given.dat", &image), SEG_ERR_INPUT);
        check_message(&ctx, "'given.dat'", files[i].expected);
        check_message(&ctx, SEG_IMAGE_FORMAT_NAMES, "convert");
        assert_int_equal(image.width, 0);
        assert_null(image.data);
    }
    assert_int_equal(image_read_memory(&ctx, "", 0, "given.dat", &image), SEG_ERR_INPUT);
    check_message(&ctx, "'given.dat'", "empty");
}

static seg_mask make_mask(seg_context *ctx, int width, int height) {
    seg_mask mask = new_mask(ctx, width, height);
    seg_random random = seg_random_seeded(3, 0);
    for (int i = 0; i < width * height; i++)
        mask.label[i] = (uint8_t)seg_random_below(&random, 256);
    return mask;
}

TEST(masks_come_back_exactly) {
    SCOPED(seg_raster) raster;
    unsigned char *first, *second;
    size_t first_size, second_size;
    seg_mask mask = make_mask(&ctx, 37, 23);
    mask.colour[7][1] = 99;
    assert_ok(&ctx, seg_mask_write(&ctx, FOLDER "/mask.png", &mask, SEG_MASK_PNG));
    assert_ok(&ctx, seg_raster_read(&ctx, FOLDER "/mask.png", &raster));
    assert_int_equal(raster.kind, SEG_RASTER_PALETTE);
    assert_int_equal(raster.bits, 8);
    assert_int_equal(raster.palette_count, 256);
    assert_int_equal(raster.width, 37);
    assert_int_equal(raster.height, 23);
    assert_null(raster.alpha);
    assert_memory_equal(raster.palette, mask.colour, sizeof mask.colour);
    assert_memory_equal(raster.sample8, mask.label, 37 * 23);
    assert_ok(&ctx, seg_file_read(&ctx, FOLDER "/mask.png", &first, &first_size));
    assert_ok(&ctx, seg_mask_write(&ctx, FOLDER "/mask.png", &mask, SEG_MASK_PNG)); /* over itself */
    assert_ok(&ctx, seg_file_read(&ctx, FOLDER "/mask.png", &second, &second_size));
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
    seg_mask_free(&mask);
    assert_null(mask.label);
    seg_mask_free(NULL);
    unlink(FOLDER "/mask.png");
}

TEST(photographs_come_back) {
    SCOPED(seg_image) back;
    uint16_t deep[9 * 4 * 3];
    uint8_t flat[9 * 4 * 3];
    seg_random random = seg_random_seeded(4, 0);
    for (size_t i = 0; i < sizeof flat; i++) {
        flat[i] = (uint8_t)seg_random_below(&random, 256);
        deep[i] = (uint16_t)seg_random_below(&random, 65536);
    }
    seg_image image = {.width = 9, .height = 4, .depth = 8, .data = flat};
    assert_ok(&ctx, seg_image_write_png(&ctx, FOLDER "/photo.png", &image, NULL));
    assert_ok(&ctx, seg_image_read(&ctx, FOLDER "/photo.png", &back));
    assert_int_equal(back.depth, 8);
    assert_memory_equal(back.data, flat, sizeof flat);
    seg_image_free(&back);
    assert_null(back.data);
    image.depth = 16;
    image.data = deep;
    assert_ok(&ctx, seg_image_write_png(&ctx, FOLDER "/photo.png", &image, NULL));
    assert_ok(&ctx, seg_image_read(&ctx, FOLDER "/photo.png", &back));
    assert_int_equal(back.depth, 8);
    for (size_t i = 0; i < sizeof flat; i++)
        assert_near(((uint8_t *)back.data)[i], deep[i] / 257.0, 0.5);
    seg_image_free(NULL);
    unlink(FOLDER "/photo.png");
}

/* What has the label is the image, and of the rest nothing is in the file: read over white. */
TEST(a_cutout_has_its_label_alone) {
    seg_image back;
    uint8_t flat[9 * 4 * 3];
    uint16_t deep[9 * 4 * 3];
    uint8_t alpha[9 * 4];
    const uint8_t labels[32] = {1 << 2};
    SCOPED(seg_mask) mask = new_mask(&ctx, 9, 4);
    for (size_t i = 0; i < sizeof flat; i++) {
        flat[i] = (uint8_t)(i * 2);
        deep[i] = (uint16_t)(flat[i] * 257);
    }
    for (size_t i = 0; i < 36; i++)
        mask.label[i] = (uint8_t)(i % 3);
    for (int depth = 8; depth <= 16; depth += 8) {
        const seg_image image = {
            .width = 9, .height = 4, .depth = depth, .data = depth == 8 ? (void *)flat : (void *)deep};
        assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, NULL, labels, alpha));
        assert_ok(&ctx, seg_image_write_png(&ctx, FOLDER "/cutout.png", &image, alpha));
        assert_ok(&ctx, seg_image_read(&ctx, FOLDER "/cutout.png", &back));
        for (size_t i = 0; i < sizeof flat; i++)
            assert_int_equal(((uint8_t *)back.data)[i], mask.label[i / 3] == 2 ? flat[i] : 255);
        seg_image_free(&back);
    }
    unlink(FOLDER "/cutout.png");
}

TEST(default_colours_differ) {
    uint8_t colour[256][3], again[256][3];
    int nearest = 1 << 30;
    seg_mask_default_colours(colour);
    seg_mask_default_colours(again);
    assert_memory_equal(colour, again, sizeof colour);
    assert_int_equal(colour[0][0] | colour[0][1] | colour[0][2], 0);
    assert_int_equal(colour[255][0] & colour[255][1] & colour[255][2], 255);
    for (int a = 0; a < 256; a++)
        for (int b = a + 1; b < 256; b++) {
            int distance = 0;
            for (int c = 0; c < 3; c++)
                distance += (colour[a][c] - colour[b][c]) * (colour[a][c] - colour[b][c]);
            nearest = distance < nearest ? distance : nearest;
        }
    assert_true(nearest >= 20 * 20);
}

TEST(mask_sizes_are_checked) {
    SCOPED(seg_mask) mask;
    const int sizes[][2] = {{0, 5}, {5, 0}, {-1, 5}, {65536, 1}, {1, 1048577}, {16385, 16384}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(seg_mask_create(&ctx, sizes[i][0], sizes[i][1], &mask), SEG_ERR_USAGE);
        assert_null(mask.label);
    }
    mask = new_mask(&ctx, 65535, 1);
    assert_int_equal(mask.labels, 0);
    assert_int_equal(mask.label[65534], 0);
}

TEST(failed_writes_leave_nothing) {
    seg_writer writer;
    SCOPED(seg_mask) mask = make_mask(&ctx, 64, 64);
    assert_int_equal(seg_mask_write(&ctx, FOLDER "/none/mask.png", &mask, SEG_MASK_PNG), SEG_ERR_IO);
    check_message(&ctx, "/none/mask.png", "folder");
    assert_int_equal(seg_mask_write(&ctx, FOLDER, &mask, SEG_MASK_PNG), SEG_ERR_IO);
    check_message(&ctx, FOLDER, "is a folder");
    assert_int_equal(seg_mask_write(&ctx, "", &mask, SEG_MASK_PNG), SEG_ERR_IO);
    if (geteuid() != 0) { /* root may write anywhere */
        chmod(FOLDER, 0555);
        assert_int_equal(seg_mask_write(&ctx, FOLDER "/mask.png", &mask, SEG_MASK_PNG), SEG_ERR_IO);
        chmod(FOLDER, 0777);
        check_message(&ctx, "/mask.png", "ermission");
    }
    assert_int_equal(entries(), 0);
    /* the target becomes a folder while the file is being written: the rename fails */
    assert_ok(&ctx, seg_writer_open(&ctx, FOLDER "/target", &writer));
    seg_writer_put(&writer, "text", 4);
    mkdir(FOLDER "/target", 0777);
    assert_int_equal(seg_writer_commit(&ctx, &writer), SEG_ERR_IO);
    check_message(&ctx, "/target", "is a folder");
    rmdir(FOLDER "/target");
    assert_int_equal(entries(), 0);
    assert_ok(&ctx, seg_writer_open(&ctx, FOLDER "/target", &writer));
    seg_writer_put(&writer, "text", 4);
    seg_writer_abandon(&writer);
    seg_writer_abandon(&writer);
    assert_int_equal(entries(), 0);
}

TEST(no_room_is_reported) {
    SCOPED(seg_mask) mask = make_mask(&ctx, 300, 300);
    assert_int_equal(seg_mask_write(&ctx, "/dev/full", &mask, SEG_MASK_PNG), SEG_ERR_IO);
    check_message(&ctx, "/dev/full", "No space left");
    assert_int_equal(seg_file_write(&ctx, "/dev/full", "x", 1), SEG_ERR_IO); /* told by the last flush only */
    check_message(&ctx, "/dev/full", "No space left");
    /* a limit stands in for the full disk: the old file stays, the new one goes */
    struct rlimit old, small;
    assert_ok(&ctx, seg_file_write(&ctx, FOLDER "/mask.png", "old", 3));
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 5000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    seg_status status = seg_mask_write(&ctx, FOLDER "/mask.png", &mask, SEG_MASK_PNG);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, SEG_ERR_IO);
    check_message(&ctx, "/mask.png", "too large");
    AUTOFREE unsigned char *bytes;
    size_t size;
    assert_ok(&ctx, seg_file_read(&ctx, FOLDER "/mask.png", &bytes, &size));
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "old", 3);
    assert_int_equal(entries(), 1);
    unlink(FOLDER "/mask.png");
}

TEST(permissions_links_and_devices) {
    struct stat about;
    AUTOFREE unsigned char *bytes;
    size_t size;
    mode_t old = umask(027);
    seg_status status = seg_file_write(&ctx, FOLDER "/file", "one", 3);
    umask(old);
    assert_ok(&ctx, status);
    assert_int_equal(stat(FOLDER "/file", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    /* a link stays a link, what it leads to is replaced */
    assert_int_equal(symlink("file", FOLDER "/link"), 0);
    assert_ok(&ctx, seg_file_write(&ctx, FOLDER "/link", "two!", 4));
    assert_int_equal(lstat(FOLDER "/link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_ok(&ctx, seg_file_read(&ctx, FOLDER "/file", &bytes, &size));
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, "two!", 4);
    unlink(FOLDER "/link");
    unlink(FOLDER "/file");
    /* devices and pipes are written, not replaced */
    assert_ok(&ctx, seg_file_write(&ctx, "/dev/null", "x", 1));
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    assert_int_equal(mkfifo(FOLDER "/pipe", 0600), 0);
    int end = open(FOLDER "/pipe", O_RDWR | O_NONBLOCK);
    char got[8] = "";
    assert_ok(&ctx, seg_file_write(&ctx, FOLDER "/pipe", "three", 5));
    assert_int_equal(read(end, got, sizeof got), 5);
    assert_string_equal(got, "three");
    close(end);
    unlink(FOLDER "/pipe");
}

TEST(standard_output) {
    SCOPED(seg_raster) raster;
    SCOPED(seg_mask) mask = make_mask(&ctx, 10, 10);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), to = open(FOLDER "/out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(to, STDOUT_FILENO);
    seg_status status = seg_mask_write(&ctx, "-", &mask, SEG_MASK_PNG);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(to);
    assert_ok(&ctx, status);
    assert_ok(&ctx, seg_raster_read(&ctx, FOLDER "/out", &raster));
    assert_memory_equal(raster.sample8, mask.label, 100);
    unlink(FOLDER "/out");
}

/* Averages of whole and of cut blocks, 8 and 16 bits. */
TEST(shrinking_averages) {
    uint8_t data[3 * 3 * 2] = {0, 10, 20, 4, 10, 20, 100, 0, 1, 8, 10, 20, 2, 11, 20, 101, 0, 2}; /* 3 x 2 pixels */
    uint16_t deep[3 * 3 * 2];
    seg_image image = {3, 2, 8, 0, data}, wide = {3, 2, 16, 0, deep}, small;
    for (int i = 0; i < 18; i++)
        deep[i] = (uint16_t)(data[i] * 257);
    assert_int_equal(seg_image_shrink(&ctx, &image, (seg_stack){1, 1}, 2, &small), SEG_OK);
    assert_int_equal(small.width, 2);
    assert_int_equal(small.height, 1);
    const uint8_t expected[6] = {4, 10, 20, 101, 0, 2}; /* 14/4, 41/4, 20; 201/2 and 3/2 round up */
    assert_memory_equal(small.data, expected, 6);
    seg_image_free(&small);
    assert_int_equal(seg_image_shrink(&ctx, &wide, (seg_stack){1, 1}, 1, &small), SEG_OK);
    assert_memory_equal(small.data, deep, sizeof deep);
    seg_image_free(&small);
}
