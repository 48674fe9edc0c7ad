# SPDX-License-Identifier: GPL-3.0-or-later
# How Boxdeck's targets are declared: one library per folder, the same options everywhere.

# What every target of ours is compiled with.
add_library(boxdeck_options INTERFACE)
target_include_directories(boxdeck_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(boxdeck_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -Wno-missing-field-initializers) # designated initialisers leave the rest at its default on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 takes the concatenation of strings for overlapping copies when it optimises (its fault 105651).
  target_compile_options(boxdeck_options INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()
target_compile_definitions(boxdeck_options INTERFACE
  BOXDECK_VERSION="${PROJECT_VERSION}"
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_FOREACH QT_NO_KEYWORDS
  QT_DISABLE_DEPRECATED_BEFORE=0x060400
  QT_WARN_DEPRECATED_UP_TO=0x060400) # a newer Qt deprecates what 6.4 has no other way for
if(BOXDECK_SANITIZE)
  target_compile_options(boxdeck_options INTERFACE
    -fsanitize=${BOXDECK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(boxdeck_options INTERFACE -fsanitize=${BOXDECK_SANITIZE})
  # GCC reports moved-from values of tl::expected as uninitialized once the sanitizers' checks stand between.
  target_compile_options(boxdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # Clang 14 cannot give a coroutine the mark that this check looks for.
  target_compile_options(boxdeck_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  if(BOXDECK_SANITIZE MATCHES "thread")
    # Asio fences in a way GCC's ThreadSanitizer only warns about.
    target_compile_options(boxdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-error=tsan>)
  endif()
endif()

# boxdeck_qt_library(NAME SOURCES ... LINK ... [PRIVATE ...]): a static library that sees Qt.
function(boxdeck_qt_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PUBLIC boxdeck_options ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
  if(BOXDECK_PCH)
    target_precompile_headers(${name} PRIVATE <QtCore>)
    if("Qt6::Widgets" IN_LIST ARG_LINK)
      target_precompile_headers(${name} PRIVATE <QtWidgets>)
    endif()
  endif()
endfunction()

# boxdeck_qt_test(NAME SOURCES ... LINK ... [LABELS ...] [ENVIRONMENT ...] [TIMEOUT s] [DESKTOP [option ...]]):
# one QtTest program, one ctest entry. With DESKTOP it runs inside tests/support/desktop_session.sh, with a session bus
# and a secret service of its own; the options are the script's, e.g. DESKTOP --no-display --locked-keyring.
# No precompiled header: each takes 230 MB and longer to make than the one file it would serve.
function(boxdeck_qt_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS;ENVIRONMENT;DESKTOP" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE boxdeck_options Qt6::Test ${ARG_LINK})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if("DESKTOP" IN_LIST ARGN)
    boxdeck_desktop_test(${name} ${ARG_DESKTOP} -- $<TARGET_FILE:${name}>)
  else()
    add_test(NAME ${name} COMMAND ${name})
    list(PREPEND ARG_ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()

# boxdeck_desktop_test(NAME [option ...] -- command ...): a ctest entry inside a private desktop. A program built with
# boxdeck_qt_test may stand in several of these, one for each state of the keyring.
function(boxdeck_desktop_test name)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/support/desktop_session.sh ${ARGN})
endfunction()
