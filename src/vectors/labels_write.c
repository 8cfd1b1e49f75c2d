#include "vectors/npy_write.h"

#include <segment/vectors.h>

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static int has_ending(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

seg_status seg_labels_write(seg_context *ctx, const char *path, const int32_t *label, size_t n) {
    seg_writer writer;
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    if (has_ending(path, ".npy")) {
        seg_npy_put_header(&writer, 'i', 8, 1, &n);
        for (size_t i = 0; i < n; i++) {
            int64_t wide = label[i];
            seg_writer_put(&writer, &wide, sizeof wide);
        }
    } else if (has_ending(path, ".csv")) {
        fputs("sample,label\n", writer.file);
        for (size_t i = 0; i < n; i++)
            fprintf(writer.file, "%zu,%" PRId32 "\n", i, label[i]);
    } else {
        for (size_t i = 0; i < n; i++)
            fprintf(writer.file, "%" PRId32 "\n", label[i]);
    }
    return seg_writer_commit(ctx, &writer);
}
