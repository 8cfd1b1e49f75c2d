/* JSON as a tree of values. (Jansson's reader does not survive a lack of memory, which a library must.) */
#ifndef SEG_MASKS_JSON_TREE_H
#define SEG_MASKS_JSON_TREE_H

#include <segment/context.h>

#include <stddef.h>

typedef enum seg_tree_kind {
    SEG_TREE_NULL = 1, /* true and false, too: nobody here asks which */
    SEG_TREE_NUMBER,
    SEG_TREE_TEXT,
    SEG_TREE_LIST,
    SEG_TREE_OBJECT
} seg_tree_kind;

typedef struct seg_tree_value {
    seg_tree_kind kind;
    double number;
    const char *text;   /* of a text; ended by 0 */
    const char *key;    /* within an object, else NULL */
    size_t child, next; /* 0: there is none */
} seg_tree_value;

typedef struct seg_tree {
    seg_tree_value *value; /* [1] is the whole */
    size_t count, room;
    char *text; /* all texts */
} seg_tree;

/* Read `size` bytes, which a zero byte follows. SEG_OK, SEG_ERR_INPUT (with the line), SEG_ERR_MEMORY; `out` is zeroed
 * on failure. `name` is for messages. */
seg_status seg_tree_read(seg_context *ctx, const char *text, size_t size, const char *name, seg_tree *out);
void seg_tree_free(seg_tree *tree);

/* The member of an object, 0 where it is not there or `at` is not an object. */
size_t seg_tree_member(const seg_tree *tree, size_t at, const char *key);
/* The text of a member, NULL where it is not there or not a text. */
const char *seg_tree_text(const seg_tree *tree, size_t at, const char *key);
/* The number of a member, `otherwise` where it is not there or not a number. */
double seg_tree_number(const seg_tree *tree, size_t at, const char *key, double otherwise);
/* The first element of a list, or member of an object; 0 where there is none. */
size_t seg_tree_first(const seg_tree *tree, size_t at);

#endif
