/* A recursion that uses up any stack. */
#pragma once

#include <string.h>

static volatile char sink;

static __attribute__((noinline)) int endless(int depth) {
    volatile char frame[1024];
    memset((void *)frame, depth, sizeof frame);
    sink = frame[depth % 1024];
    return depth < 0 ? 0 : endless(depth + 1) + frame[3];
}
