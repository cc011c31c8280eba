/* A capture whose buffer has no room for the end of a frame alone: the calls say so, and the next frame
 * begins with a state, as the format demands after a loss. Exit status 0 if so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int blocks_left = -1; /* Blocks of a capture that may still be had; -1: all. */
static void* counted_malloc(size_t bytes) {
    if (bytes > 4000 && blocks_left >= 0 && blocks_left-- == 0) return NULL;
    return malloc(bytes);
}
#define malloc counted_malloc
#define BV_CAPTURE_IMPLEMENTATION
#include "bv/capture/bv_capture.h"
#undef malloc

static int failures = 0;
static void expect(int good, const char* what) {
    if (good) return;
    ++failures;
    fprintf(stderr, "%s\n", what);
}

/* A capture with a frame that leaves less room in its block than its end takes. */
static bv_capture* nearly_full(void) {
    const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const bv_capture_bounds box = bv_capture_box(zero, one);
    bv_capture_config config;
    bv_capture* c;
    uint64_t id;
    memset(&config, 0, sizeof config);
    config.buffer_bytes = 65536;
    c = bv_capture_to_memory(&config, NULL);
    for (id = 1; id <= 5; ++id)
        bv_capture_create(c, id, box, bv_capture_box(NULL, NULL), 0, NULL);
    bv_capture_frame(c, 0);
    while (c->end - c->at > 380)
        bv_capture_name(c, 1, "n");
    return c;
}

/* The types of its chunks, in order. */
static void chunks_of(bv_capture* c, char* types, size_t most) {
    static unsigned char bytes[1 << 20];
    const size_t size = bv_capture_take(c, bytes, sizeof bytes);
    size_t at = 8, count = 0;
    while (at + 8 <= size && count + 1 < most) {
        uint32_t length;
        memcpy(&length, bytes + at + 4, 4);
        types[count++] = (char)bytes[at + 1];
        at += 8 + length;
    }
    types[count] = 0;
}

int main(void) {
    char types[64];
    bv_capture* c = nearly_full();
    blocks_left = 0;
    expect(bv_capture_frame(c, 1) == BV_CAPTURE_LEFT_OUT, "a frame without an end is told");
    expect(bv_capture_get_stats(c).left_out_calls == 1, "and counted");
    bv_capture_frame(c, 2);
    bv_capture_finish(c);
    chunks_of(c, types, sizeof types);
    expect(strstr(types, "LFS") != NULL, "the frame after a loss begins with a state");
    if (failures) fprintf(stderr, "chunks: %s\n", types);
    bv_capture_close(c);

    c = nearly_full();
    blocks_left = 0;
    expect(bv_capture_finish(c) == BV_CAPTURE_LEFT_OUT, "a last frame without an end is told");
    bv_capture_close(c);
    return failures != 0;
}
