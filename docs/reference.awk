# What doxygen reads of a header: the parameter ctx is in the comment of each call that has one. The headers describe it
# once, at seg_context.
function put() {
    printf "%s", comment
    comment = ""
}
comment != "" && ended {
    if (/seg_context \*ctx|\(ctx,/ && comment !~ /@param ctx/) {
        parameter = "\n *  @param ctx  the call's context"
        at = match(comment, /\n *\*  @(param|return)/)
        at = at ? at : match(comment, /\n?[^\n]*\*\/\n$/)
        comment = substr(comment, 1, at - 1) parameter substr(comment, at)
    }
    put()
}
/^\/\*\*/ { comment = " "; ended = 0 }
comment != "" {
    comment = (comment == " " ? "" : comment) $0 "\n"
    ended = /\*\//
    next
}
{ print }
END { put() }
