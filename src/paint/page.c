#include "paint/page.h"

#include "paint/embedded.h"

#include <string.h>

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".svg", "image/svg+xml"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof types / sizeof *types && dot; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "text/plain; charset=utf-8";
}

int paint_page_find(const char *name, paint_file *out) {
    name = name[0] ? name : "index.html";
    for (const paint_embedded *file = paint_embedded_files; file->name; file++) {
        if (strcmp(name, file->name) == 0) {
            *out = (paint_file){type_of(name), file->text, strlen(file->text)};
            return 1;
        }
    }
    return 0;
}
