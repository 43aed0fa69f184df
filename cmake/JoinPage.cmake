# Joins the page of `loomp view` from its sources, as a C++ string:
#   cmake -DOUT=FILE -DPAGE=HTML -DSTYLE=CSS -DSCRIPTS=JS|JS... -P JoinPage.cmake
# /*{{style}}*/ and /*{{script}}*/ in the page are replaced.
file(READ ${PAGE} page)
file(READ ${STYLE} style)
string(REPLACE "|" ";" SCRIPTS "${SCRIPTS}")
set(script "")
foreach(file IN LISTS SCRIPTS)
  file(READ ${file} text)
  string(APPEND script "${text}")
endforeach()
string(REPLACE "/*{{style}}*/" "${style}" page "${page}")
string(REPLACE "/*{{script}}*/" "${script}" page "${page}")
file(WRITE ${OUT} "// Made by cmake/JoinPage.cmake.
#include \"profiler/view/page.h\"

const char *const loomp::analysis::kPage = R\"loomp-page(${page})loomp-page\";
")
