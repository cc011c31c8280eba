/* Captures what an engine's broadphase does, frame by frame, for Bounding Volume Lab: proxies, trees as they
 * stand, queries and marks. C99 and C++, no dependency beyond the C library and, for files, threads.
 *
 *   #define BV_CAPTURE_IMPLEMENTATION     in exactly one source file, before the include
 *   #define BV_CAPTURE_OFF                everywhere: every call becomes an empty inline function
 *   #define BV_CAPTURE_NO_THREADS         beside the implementation: memory only, no file
 *
 *   bv_capture* c = bv_capture_to_file("game.bvcap", NULL, NULL);
 *   each frame:   bv_capture_frame(c, seconds);
 *                 bv_capture_proxies(c, proxies, proxy_count);       all of them, as an array
 *                 bv_capture_tree(c, "dynamic", nodes, node_count);  level by level, from the root
 *   bv_capture_close(c);
 *
 * Calls copy their data into blocks of a bounded buffer; a thread of the capture's own writes them. No call
 * waits for that thread, takes a lock or touches the file, except opening and closing. When the buffer is
 * full, data is left out up to the next frame that fits, and the capture says how much. Memory:
 * `buffer_bytes`, and 80 bytes a proxy.
 *
 * Lengths are in the engine's own unit; the lab names it m, and judges by ratios alone.
 *
 * Calls for one capture must not overlap in time; the thread may change. Any argument is safe: NULL as
 * capture, boxes with NaN (recorded as they are: a broken tree is what has to be seen), unknown ids, calls in
 * the wrong order; but nothing may use a capture that was closed, as with a FILE. Errors are return codes; a
 * refused call changes nothing and is counted in the capture.
 *
 * The format is described in FORMAT.md beside this file. */
#ifndef BV_CAPTURE_H
#define BV_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bv_capture bv_capture;

typedef enum bv_capture_status {
    BV_CAPTURE_OK = 0,
    BV_CAPTURE_BAD_ARGUMENT, /* NULL where data is needed, an invalid box, nodes that do not match their
                                children, a list larger than the buffer, or an address with letters. */
    BV_CAPTURE_WRONG_ORDER,  /* A node outside a tree, a query before the first frame, a frame whose number
                                does not grow, anything after `bv_capture_finish`, ... */
    BV_CAPTURE_UNKNOWN_ID,   /* A proxy that was never created or was removed. */
    BV_CAPTURE_DUPLICATE_ID, /* A proxy that exists already. */
    BV_CAPTURE_LEFT_OUT,     /* The buffer is full; recorded as left out. */
    BV_CAPTURE_NO_MEMORY,    /* An allocation failed. */
    BV_CAPTURE_NOT_OPENED,  /* The file could not be created, the lab not be reached, or no thread started. */
    BV_CAPTURE_NOT_WRITTEN, /* Writing failed, e.g. the disk is full; nothing is recorded any more. */
    BV_CAPTURE_UNSUPPORTED  /* A file or a lab with BV_CAPTURE_NO_THREADS. */
} bv_capture_status;

/* A box by two pointers to three floats each, read during the call only. Planar engines pass 0 for z. */
typedef struct bv_capture_bounds {
    const float* min;
    const float* max;
} bv_capture_bounds;

static inline bv_capture_bounds bv_capture_box(const float* min, const float* max) {
    bv_capture_bounds bounds;
    bounds.min = min;
    bounds.max = max;
    return bounds;
}

/* All zero, or NULL in its place, is a good configuration. */
typedef struct bv_capture_config {
    const char* engine;  /* The engine's name and version; shown to the user. */
    const char* title;   /* The scene or level; shown to the user. */
    uint32_t dimensions; /* 2 for planar engines; anything else is 3. */
    float margin;        /* How far the engine fattens boxes; only makes the capture smaller. */
    size_t buffer_bytes; /* 0: 64 MiB. At least 64 KiB. Must exceed 64 bytes a proxy. */
} bv_capture_config;

/* A proxy for `bv_capture_proxies`. */
typedef struct bv_capture_proxy {
    uint64_t id;
    bv_capture_bounds tight;
    bv_capture_bounds fat; /* {NULL, NULL} if the engine does not fatten boxes. */
    uint32_t tag;          /* Chooses a color, e.g. the collision layer. */
} bv_capture_proxy;

/* A node for `bv_capture_tree`. */
typedef struct bv_capture_tree_node {
    uint64_t id;
    bv_capture_bounds box;
    uint64_t payload;  /* Of a leaf: the id of a proxy, or another number. */
    uint32_t children; /* 0: a leaf with one payload. */
} bv_capture_tree_node;

/* What a query did. Lists may be NULL with a count of 0. */
typedef struct bv_capture_result {
    uint32_t tree; /* Number of the tree in the order of the frame's trees, from 0. */
    uint32_t nodes_visited;
    uint32_t boxes_tested;
    const uint64_t* found; /* Ids of the proxies in the answer. */
    size_t found_count;
    const uint64_t* visited; /* Ids of the visited nodes. */
    size_t visited_count;
} bv_capture_result;

typedef struct bv_capture_stats {
    uint64_t frames;
    uint64_t proxies;        /* Now. */
    uint64_t bytes;          /* Recorded so far. */
    uint64_t left_out_calls; /* For lack of room in the buffer, or after writing has failed. */
    uint64_t refused_calls;  /* For bad arguments, unknown ids, wrong order. */
} bv_capture_stats;

#ifndef BV_CAPTURE_OFF

/* Starts a capture to a file, which is overwritten. Returns NULL on failure. Sets
 * `*status` in any case, unless that is NULL. Allocates; may wait for the disk. */
bv_capture* bv_capture_to_file(const char* path, const bv_capture_config* config, bv_capture_status* status);
/* Starts a capture to a lab that listens at `port` of `address`, four numbers like 127.0.0.1, which NULL
 * stands for. Waits for the connection. On Windows, link with ws2_32. A lab that stops reading costs the
 * engine nothing: the buffer fills up, and frames are left out; closing gives up after half a second without
 * progress. A lab that goes away ends it with BV_CAPTURE_NOT_WRITTEN. */
bv_capture* bv_capture_to_lab(const char* address, uint16_t port, const bv_capture_config* config,
                              bv_capture_status* status);
/* Starts a capture whose bytes `bv_capture_take` hands out. The buffer bounds what has not been taken. */
bv_capture* bv_capture_to_memory(const bv_capture_config* config, bv_capture_status* status);
/* Moves up to `size` bytes of a capture to memory into `out`; returns their number, 0 if there are none now.
 * May run beside the other calls, in one other thread. */
size_t bv_capture_take(bv_capture* c, void* out, size_t size);
/* Ends the last frame; nothing can be added afterwards. For memory: call it before the last `take`. */
bv_capture_status bv_capture_finish(bv_capture* c);
/* Finishes, waits until everything is written, and frees. The capture must not be used again. */
bv_capture_status bv_capture_close(bv_capture* c);

/* Ends the current frame and begins the next at `time_s` of the engine's clock. Frames count from 0. If a
 * tree is open, it is recorded as incomplete, and the frame begins, but BV_CAPTURE_WRONG_ORDER is returned.
 */
bv_capture_status bv_capture_frame(bv_capture* c, double time_s);
/* The same with the engine's own number of the frame, which must be larger than the one before. A smaller one
 * is refused, and the current frame goes on. */
bv_capture_status bv_capture_frame_numbered(bv_capture* c, uint64_t number, double time_s);

/* A proxy was created, got new boxes, or was removed. Allowed before the first frame. `fat` may be {NULL,
 * NULL} if the engine does not fatten boxes. `tag` chooses a color, e.g. the collision layer; `name` may be
 * NULL and is cut after 255 bytes. */
bv_capture_status bv_capture_create(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                    bv_capture_bounds fat, uint32_t tag, const char* name);
bv_capture_status bv_capture_move(bv_capture* c, uint64_t id, bv_capture_bounds tight, bv_capture_bounds fat);
bv_capture_status bv_capture_remove(bv_capture* c, uint64_t id);

/* Instead of the three above: passes all proxies once a frame. New ones are created with their tag, those
 * with changed boxes are moved, those that are not in the list are removed. A proxy whose box is refused
 * keeps its last one, and the others of the list are taken. Fastest in the same order each time. */
bv_capture_status bv_capture_proxies(bv_capture* c, const bv_capture_proxy* proxies, size_t count);
/* The same in parts: those that are in no list between begin and end are removed. */
bv_capture_status bv_capture_sync_begin(bv_capture* c);
bv_capture_status bv_capture_sync(bv_capture* c, const bv_capture_proxy* proxies, size_t count);
bv_capture_status bv_capture_sync_end(bv_capture* c);
/* Whether a proxy with this id exists in the capture. */
int bv_capture_knows(const bv_capture* c, uint64_t id);
/* Names a proxy that exists; NULL takes the name away. */
bv_capture_status bv_capture_name(bv_capture* c, uint64_t id, const char* name);

/* A tree as it stands, level by level: the root, its children, the children of the first of those, and so on,
 * so that the children of each node follow those of the node before it. A list with too few or too many nodes
 * is recorded as incomplete. Node ids are the engine's own, e.g. indices or addresses, best stable from frame
 * to frame. `name` may be NULL. Ids and boxes are read during the call only. */
bv_capture_status bv_capture_tree(bv_capture* c, const char* name, const bv_capture_tree_node* nodes,
                                  size_t count);
/* The same with nodes in any order and any links, for trees that may be broken: begin, nodes, end. Takes
 * seven times the space. An inner node may have payloads, too. */
bv_capture_status bv_capture_tree_begin(bv_capture* c, const char* name, uint64_t root);
bv_capture_status bv_capture_node(bv_capture* c, uint64_t id, bv_capture_bounds box, const uint64_t* children,
                                  size_t child_count, const uint64_t* payloads, size_t payload_count);
bv_capture_status bv_capture_tree_end(bv_capture* c);
/* Ends a tree of which some nodes could not be read, e.g. because its links lead in a circle. */
bv_capture_status bv_capture_tree_end_incomplete(bv_capture* c);

/* A query ran. A ray has points origin + t direction for 0 <= t <= t_max; a cast moves the box by a
 * displacement. `result` may be NULL. */
bv_capture_status bv_capture_query_box(bv_capture* c, bv_capture_bounds box, const bv_capture_result* result);
bv_capture_status bv_capture_query_ray(bv_capture* c, const float* origin, const float* direction,
                                       float t_max, const bv_capture_result* result);
bv_capture_status bv_capture_query_cast(bv_capture* c, bv_capture_bounds box, const float* displacement,
                                        const bv_capture_result* result);

/* A remark on the current frame, in UTF-8, cut after 4000 bytes: call it after bv_capture_frame. */
bv_capture_status bv_capture_mark(bv_capture* c, const char* text);

/* All zero for NULL. */
bv_capture_stats bv_capture_get_stats(const bv_capture* c);

/* A status in words, for a log; never NULL. */
const char* bv_capture_status_text(bv_capture_status status);

#else /* BV_CAPTURE_OFF */

static inline bv_capture* bv_capture_to_file(const char* path, const bv_capture_config* config,
                                             bv_capture_status* status) {
    (void)path;
    (void)config;
    if (status) *status = BV_CAPTURE_OK;
    return NULL;
}
static inline bv_capture* bv_capture_to_lab(const char* address, uint16_t port,
                                            const bv_capture_config* config, bv_capture_status* status) {
    (void)address;
    (void)port;
    (void)config;
    if (status) *status = BV_CAPTURE_OK;
    return NULL;
}
static inline bv_capture* bv_capture_to_memory(const bv_capture_config* config, bv_capture_status* status) {
    (void)config;
    if (status) *status = BV_CAPTURE_OK;
    return NULL;
}
static inline size_t bv_capture_take(bv_capture* c, void* out, size_t size) {
    (void)c;
    (void)out;
    (void)size;
    return 0;
}
static inline bv_capture_status bv_capture_finish(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_close(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_frame(bv_capture* c, double time_s) {
    (void)c;
    (void)time_s;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_frame_numbered(bv_capture* c, uint64_t number, double time_s) {
    (void)c;
    (void)number;
    (void)time_s;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_create(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                                  bv_capture_bounds fat, uint32_t tag, const char* name) {
    (void)c;
    (void)id;
    (void)tight;
    (void)fat;
    (void)tag;
    (void)name;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_move(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                                bv_capture_bounds fat) {
    (void)c;
    (void)id;
    (void)tight;
    (void)fat;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_remove(bv_capture* c, uint64_t id) {
    (void)c;
    (void)id;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_proxies(bv_capture* c, const bv_capture_proxy* proxies,
                                                   size_t count) {
    (void)c;
    (void)proxies;
    (void)count;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_sync_begin(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_sync(bv_capture* c, const bv_capture_proxy* proxies,
                                                size_t count) {
    (void)c;
    (void)proxies;
    (void)count;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_sync_end(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline int bv_capture_knows(const bv_capture* c, uint64_t id) {
    (void)c;
    (void)id;
    return 0;
}
static inline bv_capture_status bv_capture_name(bv_capture* c, uint64_t id, const char* name) {
    (void)c;
    (void)id;
    (void)name;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_tree(bv_capture* c, const char* name,
                                                const bv_capture_tree_node* nodes, size_t count) {
    (void)c;
    (void)name;
    (void)nodes;
    (void)count;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_tree_begin(bv_capture* c, const char* name, uint64_t root) {
    (void)c;
    (void)name;
    (void)root;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_node(bv_capture* c, uint64_t id, bv_capture_bounds box,
                                                const uint64_t* children, size_t child_count,
                                                const uint64_t* payloads, size_t payload_count) {
    (void)c;
    (void)id;
    (void)box;
    (void)children;
    (void)child_count;
    (void)payloads;
    (void)payload_count;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_tree_end(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_tree_end_incomplete(bv_capture* c) {
    (void)c;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_query_box(bv_capture* c, bv_capture_bounds box,
                                                     const bv_capture_result* result) {
    (void)c;
    (void)box;
    (void)result;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_query_ray(bv_capture* c, const float* origin,
                                                     const float* direction, float t_max,
                                                     const bv_capture_result* result) {
    (void)c;
    (void)origin;
    (void)direction;
    (void)t_max;
    (void)result;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_query_cast(bv_capture* c, bv_capture_bounds box,
                                                      const float* displacement,
                                                      const bv_capture_result* result) {
    (void)c;
    (void)box;
    (void)displacement;
    (void)result;
    return BV_CAPTURE_OK;
}
static inline bv_capture_status bv_capture_mark(bv_capture* c, const char* text) {
    (void)c;
    (void)text;
    return BV_CAPTURE_OK;
}
static inline bv_capture_stats bv_capture_get_stats(const bv_capture* c) {
    (void)c;
    const bv_capture_stats none = {0, 0, 0, 0, 0};
    return none;
}
static inline const char* bv_capture_status_text(bv_capture_status status) {
    (void)status;
    return "capturing is off";
}

#endif /* BV_CAPTURE_OFF */

#ifdef __cplusplus
}
#endif

#endif /* BV_CAPTURE_H */

#if defined(BV_CAPTURE_IMPLEMENTATION) && !defined(BV_CAPTURE_OFF) && !defined(BV_CAPTURE_IMPLEMENTED)
#define BV_CAPTURE_IMPLEMENTED

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifndef BV_CAPTURE_NO_THREADS
#ifdef _WIN32
/* Either version of Winsock will do: code that included windows.h before has the first. */
#if !defined(_WINSOCKAPI_) && !defined(_WINSOCK2API_)
#include <winsock2.h>
#endif
#include <windows.h>
#ifdef _MSC_VER
#pragma comment(lib, "ws2_32")
#endif
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one thread hands spans of bytes to one other, without locks ---- */

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static uint32_t bvc_load(volatile uint32_t* at) {
    return (uint32_t)_InterlockedOr((volatile long*)at, 0);
}
static void bvc_store(volatile uint32_t* at, uint32_t value) {
    _InterlockedExchange((volatile long*)at, (long)value);
}
#else
static uint32_t bvc_load(volatile uint32_t* at) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
static void bvc_store(volatile uint32_t* at, uint32_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
}
#endif

#define BVC_RING 2048u  /* Spans on their way; a power of two. */
#define BVC_BLOCKS 512u /* Blocks at most. */

typedef struct bvc_block {
    unsigned char* data;
    size_t capacity;
} bvc_block;

/* Bytes to be written; `last` gives the block back. */
typedef struct bvc_span {
    bvc_block* block;
    size_t from, to;
    int last;
} bvc_span;

typedef struct bvc_ring {
    bvc_span spans[BVC_RING];
    volatile uint32_t head, tail; /* Taken by the consumer; put in by the producer. */
} bvc_ring;

static uint32_t bvc_ring_used(bvc_ring* ring) {
    return bvc_load(&ring->tail) - bvc_load(&ring->head);
}
static void bvc_ring_put(bvc_ring* ring, bvc_span span) {
    const uint32_t tail = ring->tail;
    ring->spans[tail % BVC_RING] = span;
    bvc_store(&ring->tail, tail + 1);
}
static int bvc_ring_take(bvc_ring* ring, bvc_span* span) {
    const uint32_t head = ring->head;
    if (bvc_load(&ring->tail) == head) return 0;
    *span = ring->spans[head % BVC_RING];
    bvc_store(&ring->head, head + 1);
    return 1;
}

/* ---- the capture ---- */

/* A box as the bits of its six floats, two in each word, the first one lower: compared and stored as they
 * are, NaN and -0 included. Whole words are moved everywhere, since a load right after narrower stores
 * stalls. */
typedef struct bvc_bits {
    uint64_t w[3];
} bvc_bits;

/* The part of a proxy that tree leaves are compared with, in any order: as small as possible. */
typedef struct bvc_proxy {
    uint64_t id;
    bvc_bits fat;
} bvc_proxy;
/* The rest of a proxy, at the same position. */
typedef struct bvc_more {
    bvc_bits tight;
    uint32_t tag;
    uint32_t seen; /* The last sync that passed it. */
} bvc_more;

typedef struct bvc_counts {
    uint64_t created, moved, removed, queries, marks, trees, nodes, refused;
} bvc_counts;

struct bv_capture {
    /* Shared with the consumer. */
    bvc_ring full;  /* To be written. */
    bvc_ring empty; /* Written blocks, to be used again. */
    volatile uint32_t stop, failed;
#ifndef BV_CAPTURE_NO_THREADS
    FILE* file; /* NULL: to the socket. */
#ifdef _WIN32
    HANDLE thread;
    SOCKET socket;
#else
    int socket;
    pthread_t thread;
#endif
#endif
    bvc_span taking; /* For `take`: the rest of a span. */

    /* The block in use and the chunk being written in it. */
    size_t buffer_bytes, block_bytes, allocated;
    bvc_block* block;
    unsigned char *at, *end;
    size_t published; /* Bytes of the block that were handed over. */
    unsigned char* chunk;
    int chunk_type; /* 0: none is open. */
    int first_part; /* The first chunk of a state or a tree, which may continue in further ones. */
    uint64_t last_id, last_payload;
    bvc_block spare; /* Holds the last words when the buffer is full. */
    unsigned char spare_data[128];

    int dimensions;
    float margin;
    int in_frame, finished, has_thread;
    uint64_t frame, frames; /* The last frame's number, and the number of frames. */
    uint64_t bytes, bytes_since_state;
    bvc_counts counts;

    int losing; /* No room: calls are counted until a frame fits. */
    uint64_t lost_first, lost_frames;
    bvc_counts lost;
    uint64_t left_out_calls, refused_calls;

    void* proxies_memory;
    bvc_proxy* proxies; /* Aligned to cache lines, two each. */
    bvc_more* more;     /* Behind the proxies, in the same memory. */
    char** names;       /* Beside the proxies; NULL until one is named. */
    size_t name_bytes;
    uint32_t proxy_count, proxy_capacity;
    uint32_t* index; /* Position + 1 in `proxies`, by hash; 0 is free. */
    int index_bits;
    uint32_t hint; /* Where the next proxy is if they come in order. */
    uint32_t sync, sync_seen;
    int in_sync;

    int in_tree;
    uint64_t tree_root, tree_nodes;
    char tree_name[256];
};

#if defined(__GNUC__)
#define BVC_PREFETCH(address) __builtin_prefetch(address)
#else
#define BVC_PREFETCH(address) (void)(address)
#endif

#define BVC_BLOCK_BYTES ((size_t)262144)
#define BVC_HEADER 8u
#define BVC_PREAMBLE 300u /* More than a chunk's header and what its body begins with. */
#define BVC_NAME 255u
#define BVC_TEXT 4000u

/* ---- bytes ---- */

#if !defined(BV_CAPTURE_PORTABLE) && \
    (defined(_WIN32) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#define BVC_LITTLE_ENDIAN
#endif

static unsigned char* bvc_put32(unsigned char* at, uint32_t value) {
#ifdef BVC_LITTLE_ENDIAN
    memcpy(at, &value, 4);
#else
    at[0] = (unsigned char)(value & 255u);
    at[1] = (unsigned char)(value >> 8 & 255u);
    at[2] = (unsigned char)(value >> 16 & 255u);
    at[3] = (unsigned char)(value >> 24 & 255u);
#endif
    return at + 4;
}
static unsigned char* bvc_put_float(unsigned char* at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bvc_put32(at, bits);
}
static unsigned char* bvc_put_varint(unsigned char* at, uint64_t value) {
    while (value >= 128) {
        *at++ = (unsigned char)((value & 127u) | 128u);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}
/* The same for the hot loops: without a branch for each byte up to 28 bits, as most differences have. May
 * write up to 3 bytes behind the last one. */
static unsigned char* bvc_put_varint_fast(unsigned char* at, uint64_t value) {
    static const uint32_t more[4] = {0, 0x80, 0x8080, 0x808080};
    const uint32_t v = (uint32_t)(value & 0xfffffffu);
    const unsigned extra = (unsigned)(v > 0x7f) + (unsigned)(v > 0x3fff) + (unsigned)(v > 0x1fffff);
    if (value >> 28) return bvc_put_varint(at, value);
    bvc_put32(at,
              (v & 0x7fu) | (v & 0x3f80u) << 1 | (v & 0x1fc000u) << 2 | (v & 0xfe00000u) << 3 | more[extra]);
    return at + 1 + extra;
}
static uint64_t bvc_zigzag(uint64_t value, uint64_t before) {
    const uint64_t d = value - before;
    return (d << 1) ^ ((uint64_t)0 - (d >> 63));
}
/* The difference to `before`, modulo 2^64, its sign in the lowest bit. */
static unsigned char* bvc_put_delta(unsigned char* at, uint64_t value, uint64_t before) {
    return bvc_put_varint(at, bvc_zigzag(value, before));
}
static unsigned char* bvc_put_ids(unsigned char* at, const uint64_t* ids, size_t count) {
    uint64_t before = 0;
    size_t i;
    at = bvc_put_varint(at, count);
    for (i = 0; i < count; ++i) {
        at = bvc_put_delta(at, ids[i], before);
        before = ids[i];
    }
    return at;
}
/* Bytes of the text up to `max_bytes`, without a character that is cut in two. 0 for NULL. */
static size_t bvc_text_bytes(const char* text, size_t max_bytes) {
    size_t length = 0;
    while (text && length < max_bytes && text[length])
        ++length;
    if (length == max_bytes)
        while (length > 0 && ((unsigned char)text[length] & 0xc0u) == 0x80u)
            --length;
    return length;
}
static unsigned char* bvc_put_text(unsigned char* at, const char* text, size_t max_bytes) {
    const size_t length = bvc_text_bytes(text, max_bytes);
    at = bvc_put_varint(at, length);
    if (length) memcpy(at, text, length);
    return at + length;
}
static unsigned char* bvc_put64(unsigned char* at, uint64_t value) {
#ifdef BVC_LITTLE_ENDIAN
    memcpy(at, &value, 8);
    return at + 8;
#else
    return bvc_put32(bvc_put32(at, (uint32_t)(value & 0xffffffffu)), (uint32_t)(value >> 32));
#endif
}
static unsigned char* bvc_put_box(unsigned char* at, const bvc_bits* box) {
    return bvc_put64(bvc_put64(bvc_put64(at, box->w[0]), box->w[1]), box->w[2]);
}
static uint64_t bvc_two_floats(float first, float second) {
    uint32_t low, high;
    memcpy(&low, &first, 4);
    memcpy(&high, &second, 4);
    return low | (uint64_t)high << 32;
}
static bvc_bits bvc_bits_of(bv_capture_bounds box) {
    bvc_bits bits;
#ifdef BVC_LITTLE_ENDIAN
    memcpy(&bits.w[0], box.min, 8);
    memcpy(&bits.w[2], box.max + 1, 8);
#else
    bits.w[0] = bvc_two_floats(box.min[0], box.min[1]);
    bits.w[2] = bvc_two_floats(box.max[1], box.max[2]);
#endif
    bits.w[1] = bvc_two_floats(box.min[2], box.max[0]);
    return bits;
}
static int bvc_same(const bvc_bits* a, const bvc_bits* b) {
    return ((a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2])) == 0;
}
static float bvc_low(uint64_t word) {
    const uint32_t bits = (uint32_t)(word & 0xffffffffu);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
static float bvc_high(uint64_t word) {
    return bvc_low(word >> 32);
}
/* In single precision, whatever the compiler computes in. */
static float bvc_sum(float a, float b) {
    const volatile float sum = a + b;
    return sum;
}
/* Whether `fat` is `tight` with every face moved out by the margin. */
static int bvc_is_grown(const bvc_bits* fat, const bvc_bits* tight, float margin) {
    bvc_bits grown;
    grown.w[0] =
        bvc_two_floats(bvc_sum(bvc_low(tight->w[0]), -margin), bvc_sum(bvc_high(tight->w[0]), -margin));
    grown.w[1] =
        bvc_two_floats(bvc_sum(bvc_low(tight->w[1]), -margin), bvc_sum(bvc_high(tight->w[1]), margin));
    grown.w[2] =
        bvc_two_floats(bvc_sum(bvc_low(tight->w[2]), margin), bvc_sum(bvc_high(tight->w[2]), margin));
    return bvc_same(fat, &grown);
}
/* ---- blocks ---- */

static void bvc_free_block(bv_capture* c, bvc_block* block) {
    c->allocated -= block->capacity;
    free(block);
}

/* A block with room for `need` bytes; NULL if the buffer is full. */
static bvc_block* bvc_get_block(bv_capture* c, size_t need) {
    const size_t bytes = need > c->block_bytes ? need : c->block_bytes;
    bvc_span span;
    bvc_block* block;
    while (bvc_ring_take(&c->empty, &span)) {
        if (span.block->capacity == bytes) return span.block;
        bvc_free_block(c, span.block); /* One that was made for a long list, or the list is long now. */
    }
    if (bytes > c->buffer_bytes - c->allocated) return NULL;
    block = (bvc_block*)malloc(sizeof(bvc_block) + bytes);
    if (!block) return NULL;
    block->data = (unsigned char*)(block + 1);
    block->capacity = bytes;
    c->allocated += bytes;
    return block;
}

static void bvc_close_chunk(bv_capture* c) {
    size_t length;
    if (!c->chunk_type) return;
    length = (size_t)(c->at - c->chunk);
    bvc_put32(c->chunk + 4, (uint32_t)(length - BVC_HEADER));
    c->bytes += length;
    c->bytes_since_state += length;
    c->chunk_type = 0;
}

/* Hands what is complete to the consumer. */
static void bvc_publish(bv_capture* c, int last) {
    bvc_span span;
    if (!c->block) return;
    span.block = c->block;
    span.from = c->published;
    span.to = (size_t)(c->at - c->block->data);
    span.last = last;
    /* Room is kept for the last span of every block. */
    if (!last && (span.to == span.from || bvc_ring_used(&c->full) + BVC_BLOCKS + 8u > BVC_RING)) return;
    bvc_ring_put(&c->full, span);
    c->published = span.to;
    if (last) {
        c->block = NULL;
        c->at = c->end = NULL;
    }
}

static void bvc_begin_losing(bv_capture* c) {
    if (c->losing) return;
    c->losing = 1;
    c->lost_first = c->frame;
    c->lost_frames = 1;
    memset(&c->lost, 0, sizeof c->lost);
}

/* Opens a chunk of this type with room for `need` bytes after its header and preamble. */
static unsigned char* bvc_open_chunk(bv_capture* c, int type, size_t need) {
    const size_t total = need + BVC_PREAMBLE;
    bvc_close_chunk(c);
    if ((size_t)(c->end - c->at) < total) {
        bvc_block* block;
        bvc_publish(c, 1);
        block = bvc_get_block(c, total);
        if (!block) {
            bvc_begin_losing(c);
            return NULL;
        }
        c->block = block;
        c->published = 0;
        c->at = block->data;
        c->end = block->data + block->capacity;
    }
    c->chunk = c->at;
    c->chunk_type = type;
    c->last_id = 0;
    c->last_payload = 0;
    *c->at++ = 0xBC;
    *c->at++ = (unsigned char)type;
    *c->at++ = 1; /* version */
    *c->at++ = 0;
    c->at = bvc_put32(c->at, 0);
    if (type == 'S' || type == 'T') {
        *c->at++ = (unsigned char)c->first_part;
        if (c->first_part && type == 'S') c->at = bvc_put_varint(c->at, c->proxy_count);
        if (c->first_part && type == 'T') {
            c->at = bvc_put_varint(c->at, c->tree_root);
            c->at = bvc_put_text(c->at, c->tree_name, BVC_NAME);
        }
        c->first_part = 0;
    }
    return c->at;
}

/* Where `need` bytes of this type of chunk may be put; NULL if they are left out. */
static unsigned char* bvc_reserve(bv_capture* c, int type, size_t need) {
    if (c->losing) return NULL;
    if (c->chunk_type == type && (size_t)(c->end - c->at) >= need) return c->at;
    return bvc_open_chunk(c, type, need);
}

static bv_capture_status bvc_left_out(bv_capture* c) {
    ++c->left_out_calls;
    return bvc_load(&c->failed) ? BV_CAPTURE_NOT_WRITTEN : BV_CAPTURE_LEFT_OUT;
}
static bv_capture_status bvc_refuse(bv_capture* c, bv_capture_status status) {
    if (c) {
        ++c->counts.refused;
        ++c->refused_calls;
    }
    return status;
}

/* ---- writing ---- */

static void bvc_give_back(bv_capture* c, bvc_span span) {
    if (span.last && span.block != &c->spare) bvc_ring_put(&c->empty, span);
}

#ifndef BV_CAPTURE_NO_THREADS
/* Writes some of the bytes; returns their number. Gives up for good if trying again is pointless. */
static size_t bvc_write_some(bv_capture* c, const unsigned char* data, size_t bytes) {
    size_t written = 0;
    int again;
    errno = 0;
    if (c->file) {
        written = fwrite(data, 1, bytes, c->file);
        again = errno == EINTR;
    } else {
#ifdef _WIN32
        const int sent = send(c->socket, (const char*)data, (int)(bytes < 1 << 20 ? bytes : 1 << 20), 0);
        if (sent > 0) written = (size_t)sent;
        /* A lab that does not read is waited for, unless the engine wants to close. */
        again = sent < 0 && WSAGetLastError() == WSAEWOULDBLOCK && !bvc_load(&c->stop);
        if (again) {
            struct timeval patience = {0, 500000};
            fd_set sockets;
            FD_ZERO(&sockets);
            FD_SET(c->socket, &sockets);
            (void)select(0, NULL, &sockets, NULL, &patience);
        }
#else
        const ssize_t sent = send(c->socket, data, bytes, MSG_NOSIGNAL);
        if (sent > 0) written = (size_t)sent;
        /* A lab that does not read is waited for, unless the engine wants to close. */
        again = errno == EINTR || ((errno == EAGAIN || errno == EWOULDBLOCK) && !bvc_load(&c->stop));
#endif
    }
    if (written == 0 && !again) bvc_store(&c->failed, 1);
    return written;
}

static void bvc_write_all(bv_capture* c) {
    for (;;) {
        /* Read before the ring: what was put in before the stop is still written. */
        const uint32_t stop = bvc_load(&c->stop);
        bvc_span span;
        while (bvc_ring_take(&c->full, &span)) {
            while (span.from < span.to && !bvc_load(&c->failed))
                span.from += bvc_write_some(c, span.block->data + span.from, span.to - span.from);
            bvc_give_back(c, span);
        }
        if (stop) return;
#ifdef _WIN32
        Sleep(3);
#else
        (void)poll(NULL, 0, 3);
#endif
    }
}
#ifdef _WIN32
static DWORD WINAPI bvc_writer(LPVOID capture) {
    bvc_write_all((bv_capture*)capture);
    return 0;
}
#else
static void* bvc_writer(void* capture) {
    bvc_write_all((bv_capture*)capture);
    return NULL;
}
#endif
#endif

/* ---- proxies ---- */

#define BVC_GOLDEN UINT64_C(0x9E3779B97F4A7C15)
static uint32_t bvc_place(const bv_capture* c, uint64_t id) {
    return (uint32_t)((id * BVC_GOLDEN) >> (64 - c->index_bits));
}

static bvc_proxy* bvc_find(const bv_capture* c, uint64_t id) {
    uint32_t at, mask;
    if (!c->index) return NULL;
    mask = ((uint32_t)1 << c->index_bits) - 1u;
    for (at = bvc_place(c, id); c->index[at]; at = (at + 1u) & mask)
        if (c->proxies[c->index[at] - 1u].id == id) return &c->proxies[c->index[at] - 1u];
    return NULL;
}

/* The same, at once if proxies come in the order of their creation. */
static bvc_proxy* bvc_find_next(bv_capture* c, uint64_t id) {
    bvc_proxy* p;
    if (c->hint < c->proxy_count && c->proxies[c->hint].id == id) return &c->proxies[c->hint++];
    p = bvc_find(c, id);
    if (p) c->hint = (uint32_t)(p - c->proxies) + 1u;
    return p;
}

static bvc_more* bvc_more_of(const bv_capture* c, const bvc_proxy* p) {
    return &c->more[p - c->proxies];
}

static int bvc_grow(bv_capture* c) {
    const uint32_t capacity = c->proxy_capacity ? c->proxy_capacity * 2u : 1024u;
    const int bits = c->proxy_capacity ? c->index_bits + 1 : 11;
    uint32_t* index;
    void* bigger;
    bvc_proxy* proxies;
    bvc_more* more;
    uint32_t i;
    if (c->proxy_capacity > (uint32_t)1 << 27) return 0;
    bigger = malloc(capacity * (sizeof *c->proxies + sizeof *c->more) + 64);
    if (!bigger) return 0;
    proxies = (bvc_proxy*)((char*)bigger + (64 - (uintptr_t)bigger % 64) % 64);
    more = (bvc_more*)(proxies + capacity);
    if (c->proxy_count) {
        memcpy(proxies, c->proxies, c->proxy_count * sizeof *proxies);
        memcpy(more, c->more, c->proxy_count * sizeof *more);
    }
    free(c->proxies_memory);
    c->proxies_memory = bigger;
    c->proxies = proxies;
    c->more = more;
    if (c->names) {
        bigger = realloc(c->names, capacity * sizeof *c->names);
        if (!bigger) return 0;
        c->names = (char**)bigger;
        memset(c->names + c->proxy_count, 0, (capacity - c->proxy_count) * sizeof *c->names);
    }
    index = (uint32_t*)calloc((size_t)1 << bits, sizeof *index);
    if (!index) return 0;
    free(c->index);
    c->index = index;
    c->index_bits = bits;
    c->proxy_capacity = capacity;
    for (i = 0; i < c->proxy_count; ++i) {
        uint32_t at = bvc_place(c, c->proxies[i].id);
        while (index[at])
            at = (at + 1u) & (((uint32_t)1 << bits) - 1u);
        index[at] = i + 1u;
    }
    return 1;
}

static bvc_proxy* bvc_add(bv_capture* c, uint64_t id) {
    uint32_t at, mask;
    if (c->proxy_count == c->proxy_capacity && !bvc_grow(c)) return NULL;
    mask = ((uint32_t)1 << c->index_bits) - 1u;
    for (at = bvc_place(c, id); c->index[at];)
        at = (at + 1u) & mask;
    c->index[at] = c->proxy_count + 1u;
    c->proxies[c->proxy_count].id = id;
    c->more[c->proxy_count].seen = 0;
    return &c->proxies[c->proxy_count++];
}

static uint32_t bvc_entry_of(const bv_capture* c, uint64_t id, uint32_t position) {
    const uint32_t mask = ((uint32_t)1 << c->index_bits) - 1u;
    uint32_t at = bvc_place(c, id);
    while (c->index[at] != position + 1u)
        at = (at + 1u) & mask;
    return at;
}

static void bvc_drop_name(bv_capture* c, uint32_t position) {
    if (!c->names || !c->names[position]) return;
    c->name_bytes -= strlen(c->names[position]);
    free(c->names[position]);
    c->names[position] = NULL;
}

static void bvc_forget(bv_capture* c, bvc_proxy* p) {
    const uint32_t mask = ((uint32_t)1 << c->index_bits) - 1u;
    const uint32_t position = (uint32_t)(p - c->proxies), last = c->proxy_count - 1u;
    uint32_t hole = bvc_entry_of(c, p->id, position), at;
    bvc_drop_name(c, position);
    /* Later entries of the same run move up, unless they would stand before their place. */
    for (at = (hole + 1u) & mask; c->index[at]; at = (at + 1u) & mask) {
        const uint32_t place = bvc_place(c, c->proxies[c->index[at] - 1u].id);
        if (((at - place) & mask) >= ((at - hole) & mask)) {
            c->index[hole] = c->index[at];
            hole = at;
        }
    }
    c->index[hole] = 0;
    if (position != last) {
        c->index[bvc_entry_of(c, c->proxies[last].id, last)] = position + 1u;
        c->proxies[position] = c->proxies[last];
        c->more[position] = c->more[last];
        if (c->names) {
            c->names[position] = c->names[last];
            c->names[last] = NULL;
        }
    }
    --c->proxy_count;
    if (c->hint > c->proxy_count) c->hint = c->proxy_count;
}

/* 1: six floats, 2: equal to the tight box, 3: grown by the margin. */
static unsigned bvc_fat_code(const bv_capture* c, const bvc_bits* tight, const bvc_bits* fat) {
    if (bvc_same(tight, fat)) return 2;
    return c->margin > 0.0f && bvc_is_grown(fat, tight, c->margin) ? 3 : 1;
}

/* A proxy as it is, in a state or where it is created. */
static unsigned char* bvc_put_proxy(bv_capture* c, unsigned char* at, const bvc_proxy* p) {
    const bvc_more* more = bvc_more_of(c, p);
    const char* name = c->names ? c->names[p - c->proxies] : NULL;
    const unsigned fat = bvc_fat_code(c, &more->tight, &p->fat);
    *at++ = (unsigned char)(fat | (more->tag ? 4u : 0u) | (name ? 8u : 0u));
    at = bvc_put_delta(at, p->id, c->last_id);
    c->last_id = p->id;
    at = bvc_put_box(at, &more->tight);
    if (fat == 1) at = bvc_put_box(at, &p->fat);
    if (more->tag) at = bvc_put_varint(at, more->tag);
    if (name) at = bvc_put_text(at, name, BVC_NAME);
    return at;
}
#define BVC_PROXY_BYTES (66u + BVC_NAME)

static int bvc_set_name(bv_capture* c, bvc_proxy* p, const char* name) {
    const uint32_t position = (uint32_t)(p - c->proxies);
    const size_t length = bvc_text_bytes(name, BVC_NAME);
    char* copy;
    bvc_drop_name(c, position);
    if (!length) return 1;
    if (!c->names) {
        c->names = (char**)calloc(c->proxy_capacity, sizeof *c->names);
        if (!c->names) return 0;
    }
    copy = (char*)malloc(length + 1);
    if (!copy) return 0;
    memcpy(copy, name, length);
    copy[length] = 0;
    c->name_bytes += length;
    c->names[position] = copy;
    return 1;
}

/* Whether a call that adds to the capture is in order. */
static bv_capture_status bvc_check(const bv_capture* c) {
    if (!c) return BV_CAPTURE_BAD_ARGUMENT;
    return c->finished ? BV_CAPTURE_WRONG_ORDER : BV_CAPTURE_OK;
}
static int bvc_is_box(bv_capture_bounds box) {
    return box.min && box.max;
}

/* Events outside frames only change the proxies, which the first frame begins with. */
static bv_capture_status bvc_record_created(bv_capture* c, const bvc_proxy* p) {
    unsigned char* at;
    if (!c->in_frame) return BV_CAPTURE_OK;
    at = bvc_reserve(c, 'E', 1 + BVC_PROXY_BYTES);
    if (!at) {
        ++c->lost.created;
        return bvc_left_out(c);
    }
    *at++ = 1;
    c->at = bvc_put_proxy(c, at, p);
    ++c->counts.created;
    return BV_CAPTURE_OK;
}

static bv_capture_status bvc_create(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                    bv_capture_bounds fat, uint32_t tag, const char* name) {
    bvc_proxy* p = bvc_add(c, id);
    bvc_more* more;
    if (!p) return bvc_refuse(c, BV_CAPTURE_NO_MEMORY);
    more = bvc_more_of(c, p);
    more->tight = bvc_bits_of(tight);
    p->fat = bvc_is_box(fat) ? bvc_bits_of(fat) : more->tight;
    more->tag = tag;
    more->seen = c->sync;
    if (c->in_sync) ++c->sync_seen;
    if (name && !bvc_set_name(c, p, name)) {
        (void)bvc_record_created(c, p);
        return BV_CAPTURE_NO_MEMORY;
    }
    return bvc_record_created(c, p);
}

static bv_capture_status bvc_move(bv_capture* c, bvc_proxy* p, bv_capture_bounds tight_box,
                                  bv_capture_bounds fat_box, int even_if_same) {
    const bvc_bits tight = bvc_bits_of(tight_box);
    const bvc_bits fat = bvc_is_box(fat_box) ? bvc_bits_of(fat_box) : tight;
    bvc_more* more = bvc_more_of(c, p);
    const unsigned moved = !bvc_same(&tight, &more->tight);
    const unsigned refit = bvc_same(&fat, &p->fat) ? 0 : bvc_fat_code(c, &tight, &fat);
    unsigned char* at;
    if (!moved && !refit && !even_if_same) return BV_CAPTURE_OK;
    if (moved) more->tight = tight;
    if (refit) p->fat = fat;
    if (!c->in_frame) return BV_CAPTURE_OK;
    at = bvc_reserve(c, 'E', 1 + 10 + 48);
    if (!at) {
        ++c->lost.moved;
        return bvc_left_out(c);
    }
    *at++ = (unsigned char)(0x40u | moved | refit << 1);
    at = bvc_put_delta(at, p->id, c->last_id);
    c->last_id = p->id;
    if (moved) at = bvc_put_box(at, &tight);
    if (refit == 1) at = bvc_put_box(at, &fat);
    c->at = at;
    ++c->counts.moved;
    return BV_CAPTURE_OK;
}

static bv_capture_status bvc_remove(bv_capture* c, bvc_proxy* p) {
    const uint64_t id = p->id;
    unsigned char* at;
    if (c->in_sync && bvc_more_of(c, p)->seen == c->sync) --c->sync_seen;
    bvc_forget(c, p);
    if (!c->in_frame) return BV_CAPTURE_OK;
    at = bvc_reserve(c, 'E', 1 + 10);
    if (!at) {
        ++c->lost.removed;
        return bvc_left_out(c);
    }
    *at++ = 2;
    c->at = bvc_put_delta(at, id, c->last_id);
    c->last_id = id;
    ++c->counts.removed;
    return BV_CAPTURE_OK;
}

bv_capture_status bv_capture_create(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                    bv_capture_bounds fat, uint32_t tag, const char* name) {
    const bv_capture_status status = bvc_check(c);
    if (status) return bvc_refuse(c, status);
    if (!bvc_is_box(tight)) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    if (bvc_find(c, id)) return bvc_refuse(c, BV_CAPTURE_DUPLICATE_ID);
    return bvc_create(c, id, tight, fat, tag, name);
}

bv_capture_status bv_capture_move(bv_capture* c, uint64_t id, bv_capture_bounds tight,
                                  bv_capture_bounds fat) {
    const bv_capture_status status = bvc_check(c);
    bvc_proxy* p;
    if (status) return bvc_refuse(c, status);
    if (!bvc_is_box(tight)) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    p = bvc_find_next(c, id);
    return p ? bvc_move(c, p, tight, fat, 1) : bvc_refuse(c, BV_CAPTURE_UNKNOWN_ID);
}

bv_capture_status bv_capture_remove(bv_capture* c, uint64_t id) {
    const bv_capture_status status = bvc_check(c);
    bvc_proxy* p;
    if (status) return bvc_refuse(c, status);
    p = bvc_find(c, id);
    return p ? bvc_remove(c, p) : bvc_refuse(c, BV_CAPTURE_UNKNOWN_ID);
}

bv_capture_status bv_capture_sync_begin(bv_capture* c) {
    const bv_capture_status status = bvc_check(c);
    uint32_t i;
    if (status || c->in_sync) return bvc_refuse(c, status ? status : BV_CAPTURE_WRONG_ORDER);
    if (++c->sync == 0) { /* Wrapped around after 2^32 of them. */
        for (i = 0; i < c->proxy_count; ++i)
            c->more[i].seen = 0;
        c->sync = 1;
    }
    c->in_sync = 1;
    c->sync_seen = 0;
    c->hint = 0;
    return BV_CAPTURE_OK;
}

static bv_capture_status bvc_sync_one(bv_capture* c, const bv_capture_proxy* proxy) {
    bvc_proxy* p;
    bvc_more* more;
    p = bvc_find_next(c, proxy->id);
    more = p ? bvc_more_of(c, p) : NULL;
    if (more && more->seen != c->sync) { /* Even if its box is refused: it is in the list. */
        more->seen = c->sync;
        ++c->sync_seen;
    }
    if (!bvc_is_box(proxy->tight)) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    return p ? bvc_move(c, p, proxy->tight, proxy->fat, 0)
             : bvc_create(c, proxy->id, proxy->tight, proxy->fat, proxy->tag, NULL);
}

/* As bvc_sync_one for proxies that come in the order of the last time and whose chunk has room: with
 * everything in local variables, since stores of bytes make the compiler load members again. Returns how many
 * it did. */
static size_t bvc_sync_run(bv_capture* c, const bv_capture_proxy* proxies, size_t count) {
    bvc_proxy* const known = c->proxies + c->hint;
    bvc_more* const known_more = c->more + c->hint;
    const size_t left = c->proxy_count - c->hint < count ? c->proxy_count - c->hint : count;
    const uint32_t sync = c->sync;
    unsigned char* at = c->at;
    uint64_t last_id = c->last_id, moves = 0, seen = 0;
    size_t i, fit;
    if (!c->in_frame || c->losing || c->chunk_type != 'E') return 0;
    fit = (size_t)(c->end - at) / 72; /* A move takes 67 bytes, the fast varint's excess included. */
    for (i = 0; i < left && i < fit; ++i) {
        const bv_capture_proxy* proxy = &proxies[i];
        bvc_proxy* p = &known[i];
        bvc_more* more = &known_more[i];
        bvc_bits tight, fat;
        unsigned moved, refit;
        if (p->id != proxy->id || !bvc_is_box(proxy->tight)) break;
        if (i + 8 < left && bvc_is_box(proxies[i + 8].fat)) {
            BVC_PREFETCH(proxies[i + 8].fat.min);
            BVC_PREFETCH(proxies[i + 8].fat.max + 2);
        }
        tight = bvc_bits_of(proxy->tight);
        fat = bvc_is_box(proxy->fat) ? bvc_bits_of(proxy->fat) : tight;
        seen += more->seen != sync;
        more->seen = sync;
        moved = !bvc_same(&tight, &more->tight);
        refit = bvc_same(&fat, &p->fat) ? 0 : bvc_fat_code(c, &tight, &fat);
        if (!moved && !refit) continue;
        ++moves;
        *at++ = (unsigned char)(0x40u | moved | refit << 1);
        at = bvc_put_varint_fast(at, bvc_zigzag(p->id, last_id));
        last_id = p->id;
        if (moved) {
            more->tight = tight;
            at = bvc_put_box(at, &tight);
        }
        if (refit) {
            p->fat = fat;
            if (refit == 1) at = bvc_put_box(at, &fat);
        }
    }
    c->at = at;
    c->last_id = last_id;
    c->hint += (uint32_t)i;
    c->sync_seen += (uint32_t)seen;
    c->counts.moved += moves;
    return i;
}

bv_capture_status bv_capture_sync(bv_capture* c, const bv_capture_proxy* proxies, size_t count) {
    bv_capture_status result = bvc_check(c);
    size_t i = 0;
    if (result || !c->in_sync) return bvc_refuse(c, result ? result : BV_CAPTURE_WRONG_ORDER);
    if (count && !proxies) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    while (i < count) {
        i += bvc_sync_run(c, proxies + i, count - i);
        if (i < count) {
            const bv_capture_status status = bvc_sync_one(c, &proxies[i++]);
            if (status) result = status;
        }
    }
    return result;
}

bv_capture_status bv_capture_sync_end(bv_capture* c) {
    bv_capture_status status = bvc_check(c), removed;
    uint32_t i;
    if (status || !c->in_sync) return bvc_refuse(c, status ? status : BV_CAPTURE_WRONG_ORDER);
    c->in_sync = 0;
    if (c->sync_seen == c->proxy_count) return BV_CAPTURE_OK;
    /* From the back: removing moves the last proxy, already checked, into the gap. */
    for (i = c->proxy_count; i > 0; --i) {
        if (c->more[i - 1].seen == c->sync) continue;
        removed = bvc_remove(c, &c->proxies[i - 1]);
        if (removed) status = removed;
    }
    return status;
}

bv_capture_status bv_capture_proxies(bv_capture* c, const bv_capture_proxy* proxies, size_t count) {
    bv_capture_status result, ended;
    if (count && !proxies) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    result = bv_capture_sync_begin(c);
    if (result) return result;
    result = bv_capture_sync(c, proxies, count);
    ended = bv_capture_sync_end(c);
    return ended ? ended : result;
}

int bv_capture_knows(const bv_capture* c, uint64_t id) {
    return c && bvc_find(c, id) != NULL;
}

bv_capture_status bv_capture_name(bv_capture* c, uint64_t id, const char* name) {
    const bv_capture_status status = bvc_check(c);
    bvc_proxy* p;
    unsigned char* at;
    if (status) return bvc_refuse(c, status);
    p = bvc_find(c, id);
    if (!p) return bvc_refuse(c, BV_CAPTURE_UNKNOWN_ID);
    if (!bvc_set_name(c, p, name)) return bvc_refuse(c, BV_CAPTURE_NO_MEMORY);
    if (!c->in_frame) return BV_CAPTURE_OK;
    at = bvc_reserve(c, 'E', 1 + 10 + 2 + BVC_NAME);
    if (!at) return bvc_left_out(c);
    *at++ = 3;
    at = bvc_put_delta(at, id, c->last_id);
    c->last_id = id;
    c->at = bvc_put_text(at, name, BVC_NAME);
    return BV_CAPTURE_OK;
}

/* ---- frames ---- */

static unsigned char* bvc_put_counts(unsigned char* at, const bvc_counts* n) {
    at = bvc_put_varint(at, n->created);
    at = bvc_put_varint(at, n->moved);
    at = bvc_put_varint(at, n->removed);
    at = bvc_put_varint(at, n->queries);
    at = bvc_put_varint(at, n->marks);
    at = bvc_put_varint(at, n->trees);
    return bvc_put_varint(at, n->nodes);
}

static unsigned char* bvc_put_lost(bv_capture* c, unsigned char* at) {
    at = bvc_put_varint(at, c->lost_first);
    at = bvc_put_varint(at, c->lost_frames);
    return bvc_put_counts(at, &c->lost);
}

/* Not OK if there was no room for the end alone. */
static bv_capture_status bvc_end_frame(bv_capture* c) {
    bv_capture_status status = BV_CAPTURE_OK;
    const int was_losing = c->losing;
    unsigned char* at;
    if (!c->in_frame) return status;
    at = bvc_reserve(c, 'Z', 90);
    if (at) {
        at = bvc_put_counts(at, &c->counts);
        c->at = bvc_put_varint(at, c->counts.refused);
        c->counts.refused = 0;
    } else if (!was_losing) {
        status = bvc_left_out(c);
    }
    bvc_close_chunk(c);
    bvc_publish(c, 0);
    return status;
}

/* At most this many bytes for all proxies. */
static size_t bvc_state_bytes(const bv_capture* c) {
    return (size_t)c->proxy_count * (64u + (c->names ? 2u : 0u)) + c->name_bytes;
}

static void bvc_put_state(bv_capture* c) {
    uint32_t i;
    unsigned char* at;
    c->first_part = 1;
    if (!bvc_open_chunk(c, 'S', BVC_PROXY_BYTES)) return;
    for (i = 0; i < c->proxy_count; ++i) {
        at = bvc_reserve(c, 'S', BVC_PROXY_BYTES);
        if (!at) return;
        c->at = bvc_put_proxy(c, at, &c->proxies[i]);
    }
    c->bytes_since_state = 0;
}

/* After a loss: whether the proxies and some more fit again. */
static int bvc_has_room(bv_capture* c) {
    const uint32_t free_blocks = bvc_ring_used(&c->empty);
    const size_t available = c->buffer_bytes - c->allocated + free_blocks * c->block_bytes;
    const size_t need = bvc_state_bytes(c) + 2 * c->block_bytes, enough = c->buffer_bytes / 4 * 3;
    return available >= (need < enough ? need : enough);
}

bv_capture_status bv_capture_frame(bv_capture* c, double time_s) {
    return bv_capture_frame_numbered(c, c && c->in_frame ? c->frame + 1 : 0, time_s);
}

bv_capture_status bv_capture_frame_numbered(bv_capture* c, uint64_t number, double time_s) {
    bv_capture_status result = bvc_check(c), ended;
    unsigned char* at;
    uint64_t bits, refused;
    int state;
    if (!result && c->in_frame && number <= c->frame) result = BV_CAPTURE_WRONG_ORDER;
    if (result) return bvc_refuse(c, result);
    if (c->in_tree) {
        (void)bv_capture_tree_end_incomplete(c);
        result = bvc_refuse(c, BV_CAPTURE_WRONG_ORDER);
    }
    ended = bvc_end_frame(c); /* May begin a loss, after which a state is due. */
    if (ended) result = ended;
    state = !c->in_frame || c->losing || c->bytes_since_state > 65536 + 32 * (uint64_t)bvc_state_bytes(c);
    c->frame = number;
    ++c->frames;
    c->in_frame = 1;
    refused = c->counts.refused; /* Before the first frame, or in one that was left out. */
    memset(&c->counts, 0, sizeof c->counts);
    c->counts.refused = refused;
    if (bvc_load(&c->failed)) bvc_begin_losing(c);
    if (c->losing) {
        if (bvc_load(&c->failed) || !bvc_has_room(c)) {
            ++c->lost_frames;
            return bvc_left_out(c);
        }
        at = bvc_open_chunk(c, 'L', 120);
        if (!at) return bvc_left_out(c);
        c->at = bvc_put_lost(c, at);
        c->losing = 0;
    }
    at = bvc_open_chunk(c, 'F', 18);
    if (!at) return bvc_left_out(c);
    at = bvc_put_varint(at, c->frame);
    memcpy(&bits, &time_s, 8);
    at = bvc_put32(at, (uint32_t)(bits & 0xffffffffu));
    c->at = bvc_put32(at, (uint32_t)(bits >> 32));
    bvc_close_chunk(c);
    if (state) bvc_put_state(c);
    return c->losing ? bvc_left_out(c) : result;
}

/* ---- trees ---- */

bv_capture_status bv_capture_tree_begin(bv_capture* c, const char* name, uint64_t root) {
    const bv_capture_status status = bvc_check(c);
    size_t length;
    if (status || !c->in_frame || c->in_tree) return bvc_refuse(c, status ? status : BV_CAPTURE_WRONG_ORDER);
    length = bvc_text_bytes(name, BVC_NAME);
    if (length) memcpy(c->tree_name, name, length);
    c->tree_name[length] = 0;
    c->in_tree = 1;
    c->first_part = 1;
    c->tree_root = root;
    c->tree_nodes = 0;
    if (c->losing || !bvc_open_chunk(c, 'T', 64)) {
        ++c->lost.trees;
        return bvc_left_out(c);
    }
    ++c->counts.trees;
    return BV_CAPTURE_OK;
}

/* 0: six floats, 2: the fat box of the payload, 3: its tight box. */
static unsigned bvc_leaf_code(const bv_capture* c, const bvc_proxy* p, const bvc_bits* box) {
    if (!p) return 0;
    return bvc_same(&p->fat, box) ? 2 : bvc_same(&bvc_more_of(c, p)->tight, box) ? 3 : 0;
}

#if defined(__SSE2__) && !defined(BV_CAPTURE_PORTABLE)
static __m128 bvc_three(const float* v) {
    return _mm_movelh_ps(_mm_loadl_pi(_mm_setzero_ps(), (const __m64*)(const void*)v), _mm_load_ss(v + 2));
}
#endif

/* 1 if the box is the one around the nodes, as FORMAT.md defines it, else 0: six floats. */
static unsigned bvc_union_code(const bv_capture_tree_node* nodes, size_t count, bv_capture_bounds box) {
    size_t i;
#if defined(__SSE2__) && !defined(BV_CAPTURE_PORTABLE)
    __m128 low, high;
    __m128i same;
    if (!bvc_is_box(nodes[0].box)) return 0;
    low = bvc_three(nodes[0].box.min);
    high = bvc_three(nodes[0].box.max);
    for (i = 1; i < count; ++i) {
        if (!bvc_is_box(nodes[i].box)) return 0;
        /* Like the comparisons below: the second operand stays where they are equal or not a number. */
        low = _mm_min_ps(bvc_three(nodes[i].box.min), low);
        high = _mm_max_ps(bvc_three(nodes[i].box.max), high);
    }
    same = _mm_and_si128(_mm_cmpeq_epi32(_mm_castps_si128(low), _mm_castps_si128(bvc_three(box.min))),
                         _mm_cmpeq_epi32(_mm_castps_si128(high), _mm_castps_si128(bvc_three(box.max))));
    return _mm_movemask_epi8(same) == 0xffff ? 1u : 0u;
#else
    float all[6];
    int k;
    if (!bvc_is_box(nodes[0].box)) return 0;
    memcpy(all, nodes[0].box.min, 12);
    memcpy(all + 3, nodes[0].box.max, 12);
    for (i = 1; i < count; ++i) {
        if (!bvc_is_box(nodes[i].box)) return 0;
        for (k = 0; k < 3; ++k) {
            if (nodes[i].box.min[k] < all[k]) all[k] = nodes[i].box.min[k];
            if (nodes[i].box.max[k] > all[k + 3]) all[k + 3] = nodes[i].box.max[k];
        }
    }
    return memcmp(all, box.min, 12) == 0 && memcmp(all + 3, box.max, 12) == 0 ? 1u : 0u;
#endif
}

/* Records nodes from `i` on while the chunk has room; returns where it stopped. `*child` is the first child
 * of node `i`. Local variables as in bvc_sync_run. The nodes of an engine and the proxies of its leaves are
 * scattered over memory, so they are prefetched some nodes before they are needed. */
static size_t bvc_level_run(bv_capture* c, const bv_capture_tree_node* nodes, size_t i, size_t count,
                            size_t* child) {
    enum { kAhead = 16 };
    const bvc_proxy* leaves[kAhead]; /* Proxies of the leaves to come. */
    const bvc_proxy* const proxies = c->proxies;
    const uint32_t* const index = c->index;
    const int shift = 64 - c->index_bits;
    unsigned char* at = c->at;
    uint64_t last_id = c->last_id, last_payload = c->last_payload;
    size_t next = *child;
    const size_t fit = (size_t)(c->end - at) / 72, first = i;
    const size_t known = c->proxy_count ? count : 0; /* The records of removed proxies are stale. */
    memset(leaves, 0, sizeof leaves);
    for (; i < count && i - first < fit; ++i) {
        const bv_capture_tree_node* node = &nodes[i];
        bvc_bits box;
        unsigned code;
        if (next + 16 < count) {
            BVC_PREFETCH(nodes[next + 16].box.min);
            BVC_PREFETCH(nodes[next + 16].box.max + 2);
        }
        if (i + 2 * kAhead < known)
            BVC_PREFETCH(&index[(uint32_t)((nodes[i + 2 * kAhead].payload * BVC_GOLDEN) >> shift)]);
        if (i + kAhead - 1 < known) { /* For inner nodes, too: a branch on leaves cannot be predicted. */
            const uint64_t id = nodes[i + kAhead - 1].payload;
            const uint32_t entry = index[(uint32_t)((id * BVC_GOLDEN) >> shift)];
            const bvc_proxy* p = proxies + (entry - (entry != 0));
            leaves[(i + kAhead - 1) % kAhead] = p;
            BVC_PREFETCH(p);
        }
        if (i >= next || !bvc_is_box(node->box) || node->children > count - next) break;
        box = bvc_bits_of(node->box);
        if (node->children == 0) {
            const bvc_proxy* p = leaves[i % kAhead];
            if (!p || p->id != node->payload) p = bvc_find(c, node->payload);
            code = bvc_leaf_code(c, p, &box);
            *at++ = (unsigned char)code;
            at = bvc_put_varint_fast(at, bvc_zigzag(node->id, last_id));
            at = bvc_put_varint_fast(at, bvc_zigzag(node->payload, last_payload));
            last_payload = node->payload;
        } else {
            code = bvc_union_code(&nodes[next], node->children, node->box);
            *at++ = (unsigned char)(code | 4u | (node->children == 2 ? 8u : 16u));
            at = bvc_put_varint_fast(at, bvc_zigzag(node->id, last_id));
            if (node->children != 2) {
                at = bvc_put_varint(at, node->children);
                *at++ = 0;
            }
            next += node->children;
        }
        last_id = node->id;
        if (code == 0) at = bvc_put_box(at, &box);
    }
    c->at = at;
    c->last_id = last_id;
    c->last_payload = last_payload;
    c->tree_nodes += i - first;
    c->counts.nodes += i - first;
    *child = next;
    return i;
}

bv_capture_status bv_capture_tree(bv_capture* c, const char* name, const bv_capture_tree_node* nodes,
                                  size_t count) {
    bv_capture_status result, status;
    size_t i = 0, child = 1;
    if (count && !nodes) return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    result = bv_capture_tree_begin(c, name, count ? nodes[0].id : 0);
    if (result && result != BV_CAPTURE_LEFT_OUT && result != BV_CAPTURE_NOT_WRITTEN) return result;
    while (i < count && bvc_reserve(c, 'T', 72)) {
        const size_t before = i;
        i = bvc_level_run(c, nodes, i, count, &child);
        if (i == before) break; /* A node without a box, or more children than nodes. */
    }
    if (i < count && c->losing) {
        c->lost.nodes += count - i;
        result = bvc_left_out(c);
    }
    if (i == count && (count == 0 || child == count)) {
        status = bv_capture_tree_end(c);
    } else {
        status = bv_capture_tree_end_incomplete(c);
        if (!c->losing) result = bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    }
    return result ? result : status;
}

bv_capture_status bv_capture_node(bv_capture* c, uint64_t id, bv_capture_bounds box, const uint64_t* children,
                                  size_t child_count, const uint64_t* payloads, size_t payload_count) {
    const bv_capture_status status = bvc_check(c);
    bvc_bits bits;
    unsigned char* at;
    unsigned code;
    uint64_t before = id;
    size_t i;
    if (status || !c->in_tree) return bvc_refuse(c, status ? status : BV_CAPTURE_WRONG_ORDER);
    if (!bvc_is_box(box) || (child_count && !children) || (payload_count && !payloads) ||
        child_count > c->buffer_bytes / 32 || payload_count > c->buffer_bytes / 32)
        return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    at = bvc_reserve(c, 'T', 1 + 10 + 20 + 10 * (child_count + payload_count) + 24);
    if (!at) {
        ++c->lost.nodes;
        return bvc_left_out(c);
    }
    bits = bvc_bits_of(box);
    code = payload_count == 1 ? bvc_leaf_code(c, bvc_find(c, payloads[0]), &bits) : 0;
    *at++ = (unsigned char)(code | 16u);
    at = bvc_put_delta(at, id, c->last_id);
    c->last_id = id;
    at = bvc_put_varint(at, child_count);
    at = bvc_put_varint(at, payload_count);
    for (i = 0; i < child_count; ++i) {
        at = bvc_put_delta(at, children[i], before);
        before = children[i];
    }
    for (i = 0; i < payload_count; ++i) {
        at = bvc_put_delta(at, payloads[i], c->last_payload);
        c->last_payload = payloads[i];
    }
    if (code == 0) at = bvc_put_box(at, &bits);
    c->at = at;
    ++c->tree_nodes;
    ++c->counts.nodes;
    return BV_CAPTURE_OK;
}

static bv_capture_status bvc_tree_end(bv_capture* c, unsigned char how) {
    const bv_capture_status status = bvc_check(c);
    unsigned char* at;
    if (status || !c->in_tree) return bvc_refuse(c, status ? status : BV_CAPTURE_WRONG_ORDER);
    c->in_tree = 0;
    at = bvc_reserve(c, 'T', 11);
    if (!at) return bvc_left_out(c);
    *at++ = how;
    c->at = bvc_put_varint(at, c->tree_nodes);
    bvc_close_chunk(c);
    return BV_CAPTURE_OK;
}
bv_capture_status bv_capture_tree_end(bv_capture* c) {
    return bvc_tree_end(c, 0xff);
}
bv_capture_status bv_capture_tree_end_incomplete(bv_capture* c) {
    return bvc_tree_end(c, 0xfe);
}

/* ---- queries and marks ---- */

/* `numbers` are the query's own, `count` of them. */
static bv_capture_status bvc_query(bv_capture* c, unsigned kind, const float* numbers, int count,
                                   const bv_capture_result* result) {
    static const bv_capture_result nothing = {0, 0, 0, NULL, 0, NULL, 0};
    unsigned char* at;
    int i;
    if (!c->in_frame) return bvc_refuse(c, BV_CAPTURE_WRONG_ORDER);
    if (!result) result = &nothing;
    if ((result->found_count && !result->found) || (result->visited_count && !result->visited) ||
        result->found_count > c->buffer_bytes / 32 || result->visited_count > c->buffer_bytes / 32)
        return bvc_refuse(c, BV_CAPTURE_BAD_ARGUMENT);
    at = bvc_reserve(c, 'E', 1 + 36 + 15 + 20 + 10 * (result->found_count + result->visited_count));
    if (!at) {
        ++c->lost.queries;
        return bvc_left_out(c);
    }
    *at++ = (unsigned char)(0x10u + kind);
    for (i = 0; i < count; ++i)
        at = bvc_put_float(at, numbers[i]);
    at = bvc_put_varint(at, result->tree);
    at = bvc_put_varint(at, result->nodes_visited);
    at = bvc_put_varint(at, result->boxes_tested);
    at = bvc_put_ids(at, result->found, result->found_count);
    c->at = bvc_put_ids(at, result->visited, result->visited_count);
    ++c->counts.queries;
    return BV_CAPTURE_OK;
}

bv_capture_status bv_capture_query_box(bv_capture* c, bv_capture_bounds box,
                                       const bv_capture_result* result) {
    const bv_capture_status status = bvc_check(c);
    float numbers[6];
    if (status || !bvc_is_box(box)) return bvc_refuse(c, status ? status : BV_CAPTURE_BAD_ARGUMENT);
    memcpy(numbers, box.min, 12);
    memcpy(numbers + 3, box.max, 12);
    return bvc_query(c, 0, numbers, 6, result);
}

bv_capture_status bv_capture_query_ray(bv_capture* c, const float* origin, const float* direction,
                                       float t_max, const bv_capture_result* result) {
    const bv_capture_status status = bvc_check(c);
    float numbers[7];
    if (status || !origin || !direction) return bvc_refuse(c, status ? status : BV_CAPTURE_BAD_ARGUMENT);
    memcpy(numbers, origin, 12);
    memcpy(numbers + 3, direction, 12);
    numbers[6] = t_max;
    return bvc_query(c, 1, numbers, 7, result);
}

bv_capture_status bv_capture_query_cast(bv_capture* c, bv_capture_bounds box, const float* displacement,
                                        const bv_capture_result* result) {
    const bv_capture_status status = bvc_check(c);
    float numbers[9];
    if (status || !bvc_is_box(box) || !displacement)
        return bvc_refuse(c, status ? status : BV_CAPTURE_BAD_ARGUMENT);
    memcpy(numbers, box.min, 12);
    memcpy(numbers + 3, box.max, 12);
    memcpy(numbers + 6, displacement, 12);
    return bvc_query(c, 2, numbers, 9, result);
}

bv_capture_status bv_capture_mark(bv_capture* c, const char* text) {
    const bv_capture_status status = bvc_check(c);
    unsigned char* at;
    if (status || !text) return bvc_refuse(c, status ? status : BV_CAPTURE_BAD_ARGUMENT);
    if (!c->in_frame) return bvc_refuse(c, BV_CAPTURE_WRONG_ORDER);
    at = bvc_reserve(c, 'E', 1 + 2 + BVC_TEXT);
    if (!at) {
        ++c->lost.marks;
        return bvc_left_out(c);
    }
    *at++ = 0x20;
    c->at = bvc_put_text(at, text, BVC_TEXT);
    ++c->counts.marks;
    return BV_CAPTURE_OK;
}

/* ---- beginning and end ---- */

static void bvc_free(bv_capture* c) {
    uint32_t i;
    bvc_span span;
    while (bvc_ring_take(&c->full, &span))
        if (span.last && span.block != &c->spare) free(span.block);
    while (bvc_ring_take(&c->empty, &span))
        free(span.block);
    if (c->taking.block && c->taking.last && c->taking.block != &c->spare) free(c->taking.block);
    free(c->block);
    for (i = 0; c->names && i < c->proxy_count; ++i)
        free(c->names[i]);
    free(c->names);
    free(c->proxies_memory);
    free(c->index);
    free(c);
}

static bv_capture* bvc_new(const bv_capture_config* config) {
    static const bv_capture_config defaults = {NULL, NULL, 0, 0.0f, 0};
    static const char magic[8] = {'B', 'V', 'C', 'A', 'P', '\r', '\n', 0x1a};
    bv_capture* c = (bv_capture*)calloc(1, sizeof *c);
    unsigned char* at;
    if (!c) return NULL;
    if (!config) config = &defaults;
    c->buffer_bytes = config->buffer_bytes ? config->buffer_bytes : (size_t)64 << 20;
    if (c->buffer_bytes < 65536) c->buffer_bytes = 65536;
    c->block_bytes = c->buffer_bytes / 16;
    if (c->block_bytes > BVC_BLOCK_BYTES) c->block_bytes = BVC_BLOCK_BYTES;
    if (c->block_bytes < c->buffer_bytes / BVC_BLOCKS) c->block_bytes = c->buffer_bytes / BVC_BLOCKS;
    c->dimensions = config->dimensions == 2 ? 2 : 3;
    c->margin = config->margin > 0.0f && config->margin < 1e30f ? config->margin : 0.0f;
    c->spare.data = c->spare_data;
    c->spare.capacity = sizeof c->spare_data;
    c->block = bvc_get_block(c, 0);
    if (!c->block) {
        bvc_free(c);
        return NULL;
    }
    c->at = c->block->data;
    c->end = c->at + c->block->capacity;
    memcpy(c->at, magic, 8);
    c->at += 8;
    c->bytes = 8;
    at = bvc_open_chunk(c, 'H', 600);
    *at++ = (unsigned char)c->dimensions;
    at = bvc_put_float(at, c->margin);
    at = bvc_put_text(at, config->engine, BVC_NAME);
    c->at = bvc_put_text(at, config->title, BVC_NAME);
    bvc_close_chunk(c);
    bvc_publish(c, 0);
    return c;
}

static bv_capture* bvc_answer(bv_capture* c, bv_capture_status code, bv_capture_status* status) {
    if (status) *status = code;
    return c;
}

bv_capture* bv_capture_to_memory(const bv_capture_config* config, bv_capture_status* status) {
    bv_capture* c = bvc_new(config);
    return bvc_answer(c, c ? BV_CAPTURE_OK : BV_CAPTURE_NO_MEMORY, status);
}

#ifndef BV_CAPTURE_NO_THREADS
static int bvc_close_sink(bv_capture* c) {
    if (c->file) return fclose(c->file) == 0;
#ifdef _WIN32
    {
        const int closed = c->socket == INVALID_SOCKET || closesocket(c->socket) == 0;
        (void)WSACleanup();
        return closed;
    }
#else
    return c->socket < 0 || close(c->socket) == 0;
#endif
}

/* Starts the thread of a capture whose file or socket is open. */
static bv_capture* bvc_start(bv_capture* c, bv_capture_status* status) {
#ifdef _WIN32
    c->thread = CreateThread(NULL, 0, bvc_writer, c, 0, NULL);
    c->has_thread = c->thread != NULL;
#else
    c->has_thread = pthread_create(&c->thread, NULL, bvc_writer, c) == 0;
#endif
    if (c->has_thread) return bvc_answer(c, BV_CAPTURE_OK, status);
    (void)bvc_close_sink(c);
    bvc_free(c);
    return bvc_answer(NULL, BV_CAPTURE_NOT_OPENED, status);
}
#endif

bv_capture* bv_capture_to_file(const char* path, const bv_capture_config* config, bv_capture_status* status) {
#ifdef BV_CAPTURE_NO_THREADS
    (void)path;
    (void)config;
    return bvc_answer(NULL, BV_CAPTURE_UNSUPPORTED, status);
#else
    bv_capture* c;
    if (!path) return bvc_answer(NULL, BV_CAPTURE_BAD_ARGUMENT, status);
    c = bvc_new(config);
    if (!c) return bvc_answer(NULL, BV_CAPTURE_NO_MEMORY, status);
    c->file = fopen(path, "wb");
    if (!c->file) {
        bvc_free(c);
        return bvc_answer(NULL, BV_CAPTURE_NOT_OPENED, status);
    }
    (void)setvbuf(c->file, NULL, _IONBF, 0);
    return bvc_start(c, status);
#endif
}

bv_capture* bv_capture_to_lab(const char* address, uint16_t port, const bv_capture_config* config,
                              bv_capture_status* status) {
#ifdef BV_CAPTURE_NO_THREADS
    (void)address;
    (void)port;
    (void)config;
    return bvc_answer(NULL, BV_CAPTURE_UNSUPPORTED, status);
#elif defined(_WIN32)
    struct sockaddr_in to;
    u_long at_once = 1;
    WSADATA started;
    bv_capture* c;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
#ifdef _MSC_VER
#pragma warning(suppress : 4996) /* Winsock's first version has no inet_pton. */
#endif
    to.sin_addr.s_addr = inet_addr(address ? address : "127.0.0.1");
    if (to.sin_addr.s_addr == INADDR_NONE) return bvc_answer(NULL, BV_CAPTURE_BAD_ARGUMENT, status);
    c = bvc_new(config);
    if (!c) return bvc_answer(NULL, BV_CAPTURE_NO_MEMORY, status);
    if (WSAStartup(MAKEWORD(2, 2), &started) != 0) {
        bvc_free(c);
        return bvc_answer(NULL, BV_CAPTURE_NOT_OPENED, status);
    }
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (c->socket == INVALID_SOCKET || connect(c->socket, (const struct sockaddr*)&to, sizeof to) != 0 ||
        ioctlsocket(c->socket, (long)FIONBIO, &at_once) != 0) {
        (void)bvc_close_sink(c);
        bvc_free(c);
        return bvc_answer(NULL, BV_CAPTURE_NOT_OPENED, status);
    }
    return bvc_start(c, status);
#else
    struct sockaddr_in to;
    struct timeval patience;
    bv_capture* c;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    if (inet_pton(AF_INET, address ? address : "127.0.0.1", &to.sin_addr) != 1)
        return bvc_answer(NULL, BV_CAPTURE_BAD_ARGUMENT, status);
    c = bvc_new(config);
    if (!c) return bvc_answer(NULL, BV_CAPTURE_NO_MEMORY, status);
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (c->socket < 0 || connect(c->socket, (const struct sockaddr*)&to, sizeof to) != 0) {
        (void)bvc_close_sink(c);
        bvc_free(c);
        return bvc_answer(NULL, BV_CAPTURE_NOT_OPENED, status);
    }
    patience.tv_sec = 0;
    patience.tv_usec = 500000;
    (void)setsockopt(c->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
#ifdef SO_NOSIGPIPE
    {
        const int on = 1;
        (void)setsockopt(c->socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
#endif
    return bvc_start(c, status);
#endif
}

size_t bv_capture_take(bv_capture* c, void* out, size_t size) {
    unsigned char* to = (unsigned char*)out;
    size_t taken = 0;
    if (!c || !out || c->has_thread) return 0;
    while (taken < size) {
        size_t bytes;
        if (!c->taking.block && !bvc_ring_take(&c->full, &c->taking)) break;
        bytes = c->taking.to - c->taking.from;
        if (bytes > size - taken) bytes = size - taken;
        memcpy(to + taken, c->taking.block->data + c->taking.from, bytes);
        taken += bytes;
        c->taking.from += bytes;
        if (c->taking.from == c->taking.to) {
            bvc_give_back(c, c->taking);
            c->taking.block = NULL;
        }
    }
    return taken;
}

bv_capture_status bv_capture_finish(bv_capture* c) {
    bv_capture_status status = bvc_check(c);
    if (status) return status;
    if (c->in_tree) (void)bv_capture_tree_end_incomplete(c);
    status = bvc_end_frame(c);
    bvc_publish(c, 1);
    if (c->losing) {
        /* The spare block always has room for this. */
        c->block = &c->spare;
        c->published = 0;
        c->chunk = c->spare_data;
        memcpy(c->chunk, "\xBCL\1\0", 4);
        c->at = bvc_put_lost(c, c->chunk + BVC_HEADER);
        c->chunk_type = 'L';
        bvc_close_chunk(c);
        bvc_publish(c, 1);
    }
    c->finished = 1;
    return status;
}

bv_capture_status bv_capture_close(bv_capture* c) {
    bv_capture_status status = BV_CAPTURE_OK;
    if (!c) return BV_CAPTURE_BAD_ARGUMENT;
    (void)bv_capture_finish(c);
#ifndef BV_CAPTURE_NO_THREADS
    if (c->has_thread) {
        bvc_store(&c->stop, 1);
#ifdef _WIN32
        (void)WaitForSingleObject(c->thread, INFINITE);
        (void)CloseHandle(c->thread);
#else
        (void)pthread_join(c->thread, NULL);
#endif
        if (!bvc_close_sink(c) || bvc_load(&c->failed)) status = BV_CAPTURE_NOT_WRITTEN;
    }
#endif
    bvc_free(c);
    return status;
}

bv_capture_stats bv_capture_get_stats(const bv_capture* c) {
    bv_capture_stats stats = {0, 0, 0, 0, 0};
    if (!c) return stats;
    stats.frames = c->frames;
    stats.proxies = c->proxy_count;
    stats.bytes = c->bytes;
    stats.left_out_calls = c->left_out_calls;
    stats.refused_calls = c->refused_calls;
    return stats;
}

const char* bv_capture_status_text(bv_capture_status status) {
    switch (status) {
        case BV_CAPTURE_OK:
            return "done";
        case BV_CAPTURE_BAD_ARGUMENT:
            return "NULL where data is needed, an invalid box, nodes that do not match their children, a "
                   "list "
                   "that does not fit, or an address that is not four numbers";
        case BV_CAPTURE_WRONG_ORDER:
            return "called in the wrong order: begin a frame first, its number grows, nodes belong to a "
                   "tree, "
                   "and nothing follows finish";
        case BV_CAPTURE_UNKNOWN_ID:
            return "no proxy has this id";
        case BV_CAPTURE_DUPLICATE_ID:
            return "a proxy with this id exists already";
        case BV_CAPTURE_LEFT_OUT:
            return "left out: the buffer is full";
        case BV_CAPTURE_NO_MEMORY:
            return "no memory is left";
        case BV_CAPTURE_NOT_OPENED:
            return "the file could not be created, or no lab listens at this address";
        case BV_CAPTURE_NOT_WRITTEN:
            return "writing failed: is the disk full, or the lab closed?";
        case BV_CAPTURE_UNSUPPORTED:
            return "not supported: built with BV_CAPTURE_NO_THREADS";
    }
    return "an unknown status";
}

#ifdef __cplusplus
}
#endif

#endif /* BV_CAPTURE_IMPLEMENTATION */
