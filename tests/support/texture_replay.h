/* Where the texture replays' data come from: a folder of experiment files, or a pack of them.
 *
 * An experiment's NAME.in holds records: a line "FORMAT width height depth level layer bytes", then the
 * bytes. NAME[.TAG].raw holds the answers. A pack is zstd over: per file a line "NAME bytes", then the bytes;
 * tables and answers are cut to the rows that the replay asked for when it was written. */
#ifndef ET_TESTS_TEXTURE_REPLAY_H
#define ET_TESTS_TEXTURE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_file {
    char name[80];
    uint8_t *bytes;
    size_t size;
};

struct replay_record {
    char format[40];
    uint32_t width, height, depth, level, layer;
    const uint8_t *bytes;
    size_t size;
};

struct replay_data {
    const char *folder; /* or NULL: the pack */
    struct replay_file *files;
    size_t count;
    bool packing;
    struct replay_file *packed;
    size_t packed_count;
};

/* False when the data can't be read. */
bool replay_open(struct replay_data *data, const char *folder, const char *pack);
void replay_close(struct replay_data *data);
/* A file by name, or NULL. Stays open until replay_close. */
const struct replay_file *replay_find(struct replay_data *data, const char *name);
/* The records of NAME.in, at most `most`; 0 when there is none. */
size_t replay_records(struct replay_data *data, const char *name, struct replay_record *records, size_t most);
/* While packing: keep this file's first `size` bytes (the most that was asked for). */
void replay_keep(struct replay_data *data, const char *name, const uint8_t *bytes, size_t size);
bool replay_write(const struct replay_data *data, const char *path);

#endif
