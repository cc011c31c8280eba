/* A C99 program that uses every function of bv_capture.h, rightly and wrongly. Exit status 0 if all answers
 * are as documented. With BV_CAPTURE_OFF it must need nothing and do nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef BV_CAPTURE_ALONE
#define BV_CAPTURE_IMPLEMENTATION
#endif
#include "bv/capture/bv_capture.h"

static int failures = 0;

static void expect(int good, const char* what, int line) {
    if (good) return;
    ++failures;
    fprintf(stderr, "line %d: %s\n", line, what);
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)

#ifdef BV_CAPTURE_OFF
int main(void) {
    const float zero[3] = {0, 0, 0};
    bv_capture_status status = BV_CAPTURE_NO_MEMORY;
    bv_capture* c = bv_capture_to_file("never written", NULL, &status);
    EXPECT(c == NULL && status == BV_CAPTURE_OK);
    EXPECT(bv_capture_frame(c, 0.0) == BV_CAPTURE_OK);
    EXPECT(bv_capture_create(c, 1, bv_capture_box(zero, zero), bv_capture_box(NULL, NULL), 0, NULL) ==
           BV_CAPTURE_OK);
    EXPECT(bv_capture_close(c) == BV_CAPTURE_OK);
    return failures != 0;
}
#else
static void refuses_null(void) {
    const float zero[3] = {0, 0, 0};
    const bv_capture_bounds box = bv_capture_box(zero, zero);
    const bv_capture_stats stats = bv_capture_get_stats(NULL);
    char byte;
    EXPECT(bv_capture_frame(NULL, 0.0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_create(NULL, 1, box, box, 0, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_move(NULL, 1, box, box) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_remove(NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_name(NULL, 1, "x") == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_knows(NULL, 1) == 0);
    EXPECT(bv_capture_tree(NULL, NULL, NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_proxies(NULL, NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_sync_begin(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_sync(NULL, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_sync_end(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_proxies(NULL, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree(NULL, "t", NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree_begin(NULL, "t", 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(NULL, 0, box, NULL, 0, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree_end(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree_end_incomplete(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_query_box(NULL, box, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_query_ray(NULL, zero, zero, 1.0f, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_query_cast(NULL, box, zero, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_mark(NULL, "x") == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_finish(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_close(NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_take(NULL, &byte, 1) == 0);
    EXPECT(stats.frames == 0 && stats.bytes == 0);
}

static void refuses_wrong_calls(bv_capture* c) {
    const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, bad[3] = {NAN, -INFINITY, 3e38f};
    const bv_capture_bounds box = bv_capture_box(low, high), none = bv_capture_box(NULL, NULL);
    const uint64_t ids[2] = {1, 2};
    bv_capture_proxy proxy;
    bv_capture_tree_node node;
    bv_capture_result result;
    memset(&result, 0, sizeof result);
    memset(&proxy, 0, sizeof proxy);
    memset(&node, 0, sizeof node);
    proxy.id = 1;
    proxy.tight = box;

    EXPECT(bv_capture_tree_begin(c, "too early", 1) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_query_box(c, box, NULL) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_mark(c, "too early") == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_create(c, 1, box, none, 3, "first") == BV_CAPTURE_OK);
    EXPECT(bv_capture_create(c, 1, box, none, 3, "again") == BV_CAPTURE_DUPLICATE_ID);
    EXPECT(bv_capture_frame(c, 0.0) == BV_CAPTURE_OK);
    EXPECT(bv_capture_create(c, 2, none, box, 0, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_create(c, 2, bv_capture_box(bad, low), box, 0, NULL) == BV_CAPTURE_OK);
    EXPECT(bv_capture_move(c, 3, box, box) == BV_CAPTURE_UNKNOWN_ID);
    EXPECT(bv_capture_move(c, 1, bv_capture_box(low, NULL), box) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_remove(c, 3) == BV_CAPTURE_UNKNOWN_ID);
    EXPECT(bv_capture_name(c, 3, "x") == BV_CAPTURE_UNKNOWN_ID);
    EXPECT(bv_capture_sync(c, &proxy, 1) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_sync_end(c) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_sync_begin(c) == BV_CAPTURE_OK);
    EXPECT(bv_capture_sync_begin(c) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_proxies(c, &proxy, 1) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_sync(c, NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_sync(c, &proxy, 1) == BV_CAPTURE_OK);
    EXPECT(bv_capture_sync_end(c) == BV_CAPTURE_OK);
    EXPECT(bv_capture_knows(c, 1) && !bv_capture_knows(c, 2));
    { /* A known proxy with a bad box keeps its last one; the others of the list are taken. */
        bv_capture_proxy three[3];
        const uint64_t refused = bv_capture_get_stats(c).refused_calls;
        int i;
        for (i = 0; i < 3; ++i) {
            three[i] = proxy;
            three[i].id = 1 + (uint64_t)i;
        }
        EXPECT(bv_capture_proxies(c, three, 2) == BV_CAPTURE_OK);
        three[1].tight = bv_capture_box(low, NULL);
        EXPECT(bv_capture_proxies(c, three, 3) == BV_CAPTURE_BAD_ARGUMENT);
        EXPECT(bv_capture_knows(c, 1) && bv_capture_knows(c, 2) && bv_capture_knows(c, 3));
        EXPECT(bv_capture_get_stats(c).refused_calls == refused + 1);
    }
    EXPECT(bv_capture_node(c, 1, box, NULL, 0, NULL, 0) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_tree_end(c) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_proxies(c, NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_proxies(c, &proxy, 1) == BV_CAPTURE_OK);
    EXPECT(bv_capture_tree(c, "t", NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree(c, "t", NULL, 0) == BV_CAPTURE_OK);
    EXPECT(bv_capture_tree(c, "without a box", &node, 1) == BV_CAPTURE_BAD_ARGUMENT);
    node.box = box;
    EXPECT(bv_capture_tree(c, NULL, &node, 1) == BV_CAPTURE_OK);
    node.children = 0xffffffffu;
    EXPECT(bv_capture_tree(c, "without its children", &node, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_tree_begin(c, NULL, 1) == BV_CAPTURE_OK);
    EXPECT(bv_capture_tree(c, "inside another", &node, 1) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_tree_begin(c, "inside another", 1) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_node(c, 1, none, NULL, 0, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(c, 1, box, NULL, 2, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(c, 1, box, NULL, 0, NULL, 1) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(c, 1, box, ids, (size_t)-1, NULL, 0) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(c, 1, box, NULL, 0, ids, (size_t)-1 / 8) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_node(c, 1, box, ids, 2, NULL, 0) == BV_CAPTURE_OK);
    EXPECT(bv_capture_frame(c, 1.0) == BV_CAPTURE_WRONG_ORDER); /* The tree was open; the frame begins. */
    EXPECT(bv_capture_frame_numbered(c, 1, 1.0) == BV_CAPTURE_WRONG_ORDER); /* That is the current one. */
    EXPECT(bv_capture_get_stats(c).frames == 2);
    {
        int status;
        for (status = BV_CAPTURE_OK; status <= BV_CAPTURE_UNSUPPORTED; ++status)
            EXPECT(strcmp(bv_capture_status_text((bv_capture_status)status), "an unknown status") != 0);
        EXPECT(strcmp(bv_capture_status_text((bv_capture_status)99), "an unknown status") == 0);
    }
    EXPECT(bv_capture_frame_numbered(c, 40, 1.5) == BV_CAPTURE_OK);
    EXPECT(bv_capture_mark(c, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_query_ray(c, low, NULL, 1.0f, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_query_cast(c, box, NULL, NULL) == BV_CAPTURE_BAD_ARGUMENT);
    result.found_count = 1;
    EXPECT(bv_capture_query_box(c, box, &result) == BV_CAPTURE_BAD_ARGUMENT);
    result.found = ids;
    result.found_count = (size_t)-1;
    EXPECT(bv_capture_query_box(c, box, &result) == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_finish(c) == BV_CAPTURE_OK);
    EXPECT(bv_capture_finish(c) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_frame(c, 2.0) == BV_CAPTURE_WRONG_ORDER);
    EXPECT(bv_capture_get_stats(c).refused_calls >= 25);
    EXPECT(bv_capture_get_stats(c).frames == 3);
}

int main(void) {
    bv_capture_status status = BV_CAPTURE_NO_MEMORY;
    bv_capture* c = bv_capture_to_memory(NULL, &status);
    char bytes[64];
    refuses_null();
    EXPECT(c != NULL && status == BV_CAPTURE_OK);
    refuses_wrong_calls(c);
    EXPECT(bv_capture_take(c, bytes, sizeof bytes) == sizeof bytes);
    EXPECT(memcmp(bytes, "BVCAP\r\n\032\274H", 10) == 0);
    EXPECT(bv_capture_close(c) == BV_CAPTURE_OK);
#ifdef BV_CAPTURE_NO_THREADS
    EXPECT(bv_capture_to_file("never.bvcap", NULL, &status) == NULL && status == BV_CAPTURE_UNSUPPORTED);
    EXPECT(bv_capture_to_lab(NULL, 1, NULL, &status) == NULL && status == BV_CAPTURE_UNSUPPORTED);
#else
    EXPECT(bv_capture_to_file(NULL, NULL, &status) == NULL && status == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_to_lab("no address", 1, NULL, &status) == NULL && status == BV_CAPTURE_BAD_ARGUMENT);
    EXPECT(bv_capture_to_lab(NULL, 0, NULL, &status) == NULL && status == BV_CAPTURE_NOT_OPENED);
    EXPECT(bv_capture_to_file("no/such/folder/x.bvcap", NULL, &status) == NULL &&
           status == BV_CAPTURE_NOT_OPENED);
#endif
    return failures != 0;
}
#endif
