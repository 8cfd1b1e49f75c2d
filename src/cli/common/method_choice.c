#include "cli/common/method_choice.h"
#include "cli/common/errors.h"
#include "cli/help/suggest.h"

#include <stdio.h>
#include <string.h>

const seg_method *cli_find_method(const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    const seg_method *method = seg_method_find(name);
    if (!method) {
        const char *nearest = NULL;
        int distance = 0;
        for (int i = 0; seg_method_at(i); i++)
            cli_suggest(name, seg_method_at(i)->name, &nearest, &distance);
        cli_say("unknown method '%s'; %s%s%s'segment methods' lists them", name, nearest ? "did you mean '" : "",
                nearest ? nearest : "", nearest ? "'? " : "");
    }
    return method;
}

void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size) {
    const int other = strcmp(ran, method->name) != 0;
    snprintf(text, size, "%s%s%s%s%s", method->name, variant == SEG_VARIANT_PAPER ? ":paper" : "", other ? " (" : "",
             other ? ran : "", other ? ")" : "");
}
