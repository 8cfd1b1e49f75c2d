#include "method_choice.h"
#include "fail.h"
#include "suggest.h"

#include <stdio.h>

const seg_method *cli_find_method(const char *name) {
    const seg_method *method = seg_method_find(name);
    if (!method) {
        const char *nearest = NULL;
        int distance = 0;
        for (int i = 0; i < seg_method_count(); i++)
            cli_suggest(name, seg_method_at(i)->name, &nearest, &distance);
        cli_say("unknown method '%s'; %s%s%s'segment methods' lists them", name, nearest ? "did you mean '" : "",
                nearest ? nearest : "", nearest ? "'? " : "");
    }
    return method;
}

void cli_method_text(const seg_method *method, const char *ran, char *text, size_t size) {
    snprintf(text, size, "%s%s%s%s", method->name, ran ? " (" : "", ran ? ran : "", ran ? ")" : "");
}
