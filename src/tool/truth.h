/* Truth files of a program, and how far an output is from one. */
#ifndef ET_TOOL_TRUTH_H
#define ET_TOOL_TRUTH_H

#include "capture/tar.h"

struct et_truth_image {
    const char *file; /* owned by the truth */
    const uint8_t *bytes;
    size_t size;
    unsigned texel;   /* bytes a texel; 0 unknown */
    unsigned channel; /* bits a channel, 0: packed words, counted whole */
    bool is_float;
    unsigned width, height;
    char format[64]; /* as the maker names it, "" unknown */
};

struct et_truth {
    struct et_tar_list files;
    struct et_truth_image *images;
    size_t count;
    char maker[96]; /* device and driver */
};

/* Reads DIR/PROGRAM.tar.zst, or DIR/PROGRAM.json with its .raw files beside it. ETALON_IO when there is
 * neither. */
enum etalon_status et_truth_read(struct et_truth *truth, const char *folder, const char *program,
                                 struct etalon_error *error);
void et_truth_free(struct et_truth *truth);
const struct et_truth_image *et_truth_find(const struct et_truth *truth, const char *file);

struct et_difference {
    uint64_t different, texels; /* texels that differ, of all */
    uint64_t first;             /* index of the first that does */
    uint64_t largest; /* largest difference of a channel: codes, or ULPs of floats; 0 for packed words */
};
/* Compares bytes (as many as the image has) with the truth. */
void et_truth_compare(const struct et_truth_image *image, const uint8_t *bytes,
                      struct et_difference *difference);

#endif
