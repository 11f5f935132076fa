/* Method tables: names, fields, enumerants, array shapes and effects of every class. [DOC: NVIDIA class
 * headers] */
#ifndef ET_ENGINE_CLASS_H
#define ET_ENGINE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ET_METHODS 0x1000u /* dword methods of an object */

/* What a write does here. */
enum et_effect {
    ET_EFFECT_STATE,      /* kept; later triggers read it */
    ET_EFFECT_ACTS,       /* does something at once */
    ET_EFFECT_IGNORED,    /* kept, without consequence for memory's contents: `why` says the reason */
    ET_EFFECT_UNSUPPORTED /* a named error, unless the value is `harmless` */
};

struct et_enumerant {
    const char *name;
    uint32_t value;
};

struct et_field {
    const char *name;
    uint8_t hi, lo;
    uint16_t enumerants; /* number, from the class's `enumerants` at first_enumerant */
    uint16_t first_enumerant;
};

/* One method or array of methods. Element (i, j) is at offset + i * stride + j * inner_stride. */
struct et_method {
    const char *name;
    const char *why; /* of ignored and unsupported; else NULL */
    uint16_t offset; /* bytes */
    uint16_t count, stride;
    uint16_t inner_count, inner_stride; /* 0: one-dimensional */
    uint16_t fields, first_field;
    uint8_t effect; /* enum et_effect */

    bool has_harmless;
    uint32_t harmless; /* value that an unsupported method may take, if any */
};

struct et_class {
    uint16_t number;
    const char *name; /* four hexadecimal digits */
    const char *title;
    const struct et_method *methods;
    uint16_t method_count;
    const struct et_field *fields;
    const struct et_enumerant *enumerants;
};

/* The class of a number, or NULL when it is not known. */
const struct et_class *et_class_find(uint32_t number);
const struct et_class *const *et_classes(unsigned *count);

/* Row of the method at `offset` (bytes), or NULL; *i and *j (may be NULL) get its array indices. Overlapping
 * arrays: the row that starts last wins. */
const struct et_method *et_class_method(const struct et_class *klass, uint32_t offset, unsigned *i,
                                        unsigned *j);
/* Row of a name, or NULL. */
const struct et_method *et_class_method_named(const struct et_class *klass, const char *name);

/* index[dword method] = row number + 1, 0 where the class has no such method; ET_METHODS entries. */
void et_class_index(const struct et_class *klass, uint16_t *index);

/* "NAME(i)" into text. Returns what snprintf would. */
int et_class_method_text(const struct et_class *klass, uint32_t offset, char *text, size_t size);
/* The field of that name in a value written to the method; 0 where the class has no such method or field. */
uint32_t et_class_field(const struct et_class *klass, uint32_t offset, uint32_t value, const char *field);
/* "FIELD = ENUMERANT | FIELD2 = 0x.." of a value written to the method, into text. */
int et_class_value_text(const struct et_class *klass, uint32_t offset, uint32_t value, char *text,
                        size_t size);

#endif
