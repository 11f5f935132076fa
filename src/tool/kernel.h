/* A compiled kernel and its manifest: loaded from an ELF cubin, run on the interpreter, held to truth. */
#ifndef ET_TOOL_KERNEL_H
#define ET_TOOL_KERNEL_H

#include "capture/tar.h"
#include "isa/interp/program.h"

/* Where the files of a manifest lie: a folder, or the members of an archive. */
struct et_kernel_files {
    const char *folder; /* NULL: use list */
    const struct et_tar_list *list;
};

/* How a run ended against truth. */
enum et_kernel_verdict {
    ET_KERNEL_EQUAL,     /* every output is the truth's bytes */
    ET_KERNEL_DIFFERENT, /* text: the first difference */
    ET_KERNEL_FAILED,    /* text: the named error */
    ET_KERNEL_DECODED    /* nothing to compare: the manifest expects nothing, the code translates */
};

struct et_kernel_result {
    enum et_kernel_verdict verdict;
    bool unusable; /* failed before anything ran */
    char kernel[64], arch[16], expect[16];
    uint64_t different, words; /* of all outputs, in 32-bit words */
    struct et_counts counts;
    char text[320];
};

struct et_kernel_output {
    char name[64];
    uint8_t *bytes;
    size_t size;
};

/* Runs the manifest (JSON text). outputs, if not NULL, gets an allocated list of *count outputs, freed with
 * et_kernel_outputs_free. threads: OpenMP threads at most. Never fails otherwise than in the result. */
void et_kernel_run(const struct et_kernel_files *files, const char *manifest, int threads,
                   struct et_kernel_result *result, struct et_kernel_output **outputs, size_t *count);
void et_kernel_outputs_free(struct et_kernel_output *outputs, size_t count);

#endif
