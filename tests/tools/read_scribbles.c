/* read_scribbles FOLDER: reads scribbles with their images and says what was understood, without segmenting.
 * FOLDER/list.txt has a line "NAME<tab>SCRIBBLES<tab>..." a file; images are NAME-photo.bmp beside it. Prints for each
 * "NAME<tab>exit code<tab>kind<tab>labels<tab>message" and writes the labels as NAME-read.pgm. */
#include "base/context.h"

#include <segment/segment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_log(void *user, seg_log_level level, const char *line) {
    char *said = user;
    if (level == SEG_LOG_WARNING && strlen(said) + strlen(line) + 3 < 4096)
        strcat(strcat(said, said[0] ? "; " : ""), line);
}

static void read_one(const char *folder, const char *name, const char *marks_name) {
    char path[4096], said[4096] = "";
    seg_image photo = {0};
    seg_mask scribbles = {0};
    seg_scribbles_about about;
    seg_context ctx = seg_context_default();
    ctx.log = on_log;
    ctx.log_user = said;
    snprintf(path, sizeof path, "%s/%s-photo.bmp", folder, name);
    seg_status status = seg_image_read(&ctx, path, &photo);
    snprintf(path, sizeof path, "%s/%s", folder, marks_name);
    if (status == SEG_OK)
        status = seg_scribbles_read(&ctx, path, &photo, NULL, &scribbles, &about);
    printf("%s\t%d\t%d\t%d\t%s\n", name, (int)status, status == SEG_OK ? (int)about.kind : 0, scribbles.labels,
           status == SEG_OK ? said : ctx.message);
    snprintf(path, sizeof path, "%s/%s-read.pgm", folder, name);
    remove(path);
    FILE *to = status == SEG_OK ? fopen(path, "wb") : NULL;
    if (to) {
        fprintf(to, "P5 %d %d 255\n", scribbles.width, scribbles.height);
        fwrite(scribbles.label, 1, (size_t)scribbles.width * (size_t)scribbles.height, to);
        fclose(to);
    }
    seg_mask_free(&scribbles);
    seg_image_free(&photo);
}

int main(int argc, char **argv) {
    char line[4096], path[4096];
    if (argc != 2)
        return 2;
    snprintf(path, sizeof path, "%s/list.txt", argv[1]);
    FILE *list = fopen(path, "r");
    if (!list)
        return 1;
    while (fgets(line, sizeof line, list)) {
        char *name = strtok(line, "\t"), *scribbles = strtok(NULL, "\t");
        if (name && scribbles)
            read_one(argv[1], name, scribbles);
    }
    fclose(list);
    return 0;
}
