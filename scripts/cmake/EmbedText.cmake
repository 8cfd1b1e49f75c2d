# cmake -DINPUT=report.css -DNAME=seg_report_style -DOUTPUT=report_css.c -P EmbedText.cmake: a text as a C array.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "extern const char ${NAME}[];\n\nconst char ${NAME}[] = {${bytes}0};\n")
