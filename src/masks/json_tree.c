#include "masks/json_tree.h"

#include "base/base.h"
#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

typedef struct reader {
    seg_context *ctx;
    const char *name, *begin, *at, *end;
    seg_tree *tree;
    char *text; /* where the next text goes */
} reader;

static seg_status damaged(const reader *r) {
    size_t line = 1;
    for (const char *c = r->begin; c < r->at; c++)
        line += *c == '\n';
    return seg_fail(r->ctx, SEG_ERR_INPUT, "%s is damaged JSON in line %zu: save it again", r->name, line);
}

static void skip_space(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static int take(reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c)
        return 0;
    r->at++;
    return 1;
}

/* Four hexadecimal digits, -1 where they are not. */
static long read_unit(reader *r) {
    long unit = 0;
    if (r->end - r->at < 4 || strspn(r->at, "0123456789abcdefABCDEF") < 4)
        return -1;
    for (int i = 0; i < 4; i++, r->at++)
        unit = 16 * unit + (*r->at <= '9' ? *r->at - '0' : (*r->at | 32) - 'a' + 10);
    return unit;
}

static void put_letter(reader *r, unsigned long code) {
    if (code < 0x80) {
        *r->text++ = (char)code;
    } else {
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        *r->text++ = (char)((more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0) | code >> 6 * more);
        for (int i = more - 1; i >= 0; i--)
            *r->text++ = (char)(0x80 | (code >> 6 * i & 0x3F));
    }
}

/* A text behind its first quote. Never longer than it is in the file. */
static seg_status read_text(reader *r, const char **text) {
    static const char escapes[] = "\"\\/bfnrt", letters[] = "\"\\/\b\f\n\r\t";
    *text = r->text;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at != '\\') {
            *r->text++ = *r->at ? *r->at : '?';
            r->at++;
            continue;
        }
        const char *found = ++r->at < r->end && *r->at ? strchr(escapes, *r->at) : NULL;
        if (found) {
            *r->text++ = letters[found - escapes];
            r->at++;
        } else if (r->at < r->end && *r->at == 'u') {
            r->at++;
            long code = read_unit(r);
            if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
                r->at += 2;
                const long low = read_unit(r);
                code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
            }
            if (code < 0)
                return damaged(r);
            put_letter(r, code ? (unsigned long)code : '?');
        } else {
            return damaged(r);
        }
    }
    if (r->at == r->end)
        return damaged(r);
    r->at++;
    *r->text++ = 0;
    return SEG_OK;
}

static seg_status add(reader *r, const char *key, size_t *at) {
    seg_tree *tree = r->tree;
    if (seg_grow(r->ctx, &tree->value, tree->count, &tree->room, sizeof *tree->value) != SEG_OK)
        return SEG_ERR_MEMORY;
    *at = tree->count++;
    tree->value[*at] = (seg_tree_value){.kind = SEG_TREE_NULL, .key = key};
    return SEG_OK;
}

static seg_status read_word(reader *r) {
    static const char *const words[] = {"null", "true", "false"};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[i], length) == 0) {
            r->at += length;
            return SEG_OK;
        }
    }
    return damaged(r);
}

static seg_status read_value(reader *r, const char *key, int depth, size_t *at);

/* The elements of a list, or members of an object, behind the first bracket. */
static seg_status read_members(reader *r, size_t owner, int depth, int object) {
    size_t before = 0, at = 0;
    const char close = object ? '}' : ']', *key = NULL;
    if (take(r, close))
        return SEG_OK;
    do {
        if (object && !take(r, '"'))
            return damaged(r);
        seg_status status = object ? read_text(r, &key) : SEG_OK;
        if (status == SEG_OK && object && !take(r, ':'))
            status = damaged(r);
        if (status == SEG_OK)
            status = read_value(r, key, depth + 1, &at);
        if (status != SEG_OK)
            return status;
        if (before)
            r->tree->value[before].next = at;
        else
            r->tree->value[owner].child = at;
        before = at;
    } while (take(r, ','));
    return take(r, close) ? SEG_OK : damaged(r);
}

static seg_status read_value(reader *r, const char *key, int depth, size_t *at) {
    seg_status status = add(r, key, at);
    const size_t own = *at;
    skip_space(r);
    if (status != SEG_OK)
        return status;
    if (r->at == r->end || depth > DEEPEST)
        return damaged(r);
    const char c = *r->at;
    if (c == '{' || c == '[') {
        r->tree->value[own].kind = c == '{' ? SEG_TREE_OBJECT : SEG_TREE_LIST;
        r->at++;
        return read_members(r, own, depth, c == '{');
    }
    if (c == '"') {
        r->at++;
        const char *text = NULL;
        status = read_text(r, &text);
        r->tree->value[own].kind = SEG_TREE_TEXT;
        r->tree->value[own].text = text;
        return status;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        const size_t length = strspn(r->at, "+-.0123456789eE");
        char *stop;
        r->tree->value[own].kind = SEG_TREE_NUMBER;
        r->tree->value[own].number = seg_decimal(r->at, &stop);
        if (stop != r->at + length || stop > r->end || !isfinite(r->tree->value[own].number))
            return damaged(r);
        r->at = stop;
        return SEG_OK;
    }
    return read_word(r);
}

seg_status seg_tree_read(seg_context *ctx, const char *text, size_t size, const char *name, seg_tree *out) {
    reader r = {.ctx = ctx, .name = name, .begin = text, .at = text, .end = text + size, .tree = out};
    size_t at = 0;
    memset(out, 0, sizeof *out);
    out->text = r.text = seg_alloc(ctx, size + 1, 1);
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        r.at += 3;
    seg_status status = out->text ? add(&r, NULL, &at) : SEG_ERR_MEMORY; /* 0 is nothing */
    if (status == SEG_OK)
        status = read_value(&r, NULL, 0, &at);
    skip_space(&r);
    if (status == SEG_OK && r.at < r.end)
        status = damaged(&r);
    if (status != SEG_OK)
        seg_tree_free(out);
    return status;
}

void seg_tree_free(seg_tree *tree) {
    free(tree->value);
    free(tree->text);
    memset(tree, 0, sizeof *tree);
}

size_t seg_tree_first(const seg_tree *tree, size_t at) {
    return at ? tree->value[at].child : 0;
}

size_t seg_tree_member(const seg_tree *tree, size_t at, const char *key) {
    if (!at || tree->value[at].kind != SEG_TREE_OBJECT)
        return 0;
    for (size_t i = tree->value[at].child; i; i = tree->value[i].next)
        if (strcmp(tree->value[i].key, key) == 0)
            return i;
    return 0;
}

const char *seg_tree_text(const seg_tree *tree, size_t at, const char *key) {
    const size_t member = seg_tree_member(tree, at, key);
    return member && tree->value[member].kind == SEG_TREE_TEXT ? tree->value[member].text : NULL;
}

double seg_tree_number(const seg_tree *tree, size_t at, const char *key, double otherwise) {
    const size_t member = seg_tree_member(tree, at, key);
    return member && tree->value[member].kind == SEG_TREE_NUMBER ? tree->value[member].number : otherwise;
}
