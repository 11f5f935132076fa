#include "engine/class.h"

#include "base/bits.h"

#include <stdio.h>

#include "engine/tables/classes.inc"

static const struct et_class *const class_list[] = {
    &classes[0], &classes[1], &classes[2], &classes[3], &classes[4],  &classes[5],
    &classes[6], &classes[7], &classes[8], &classes[9], &classes[10], &classes[11],
};
_Static_assert(ET_COUNT(class_list) == ET_COUNT(classes), "every class is listed");

const struct et_class *const *et_classes(unsigned *count)
{
    *count = ET_COUNT(class_list);
    return class_list;
}

const struct et_class *et_class_find(uint32_t number)
{
    for (unsigned i = 0; i < ET_COUNT(classes); i++)
        if (classes[i].number == number)
            return &classes[i];
    return NULL;
}

/* Whether `offset` is an element of the method; its indices. */
static bool element_of(const struct et_method *method, uint32_t offset, unsigned *i, unsigned *j)
{
    uint32_t rest = offset - method->offset;
    *i = *j = 0;
    if (offset < method->offset)
        return false;
    if (method->stride) {
        *i = rest / method->stride;
        rest -= *i * method->stride;
    }
    if (method->inner_stride) {
        *j = rest / method->inner_stride;
        rest -= *j * method->inner_stride;
    }
    return !rest && *i < method->count && *j < ET_MAX(method->inner_count, 1);
}

const struct et_method *et_class_method(const struct et_class *klass, uint32_t offset, unsigned *i,
                                        unsigned *j)
{
    unsigned own_i, own_j;
    for (unsigned m = klass->method_count; m-- > 0;)
        if (element_of(&klass->methods[m], offset, &own_i, &own_j)) {
            if (i)
                *i = own_i;
            if (j)
                *j = own_j;
            return &klass->methods[m];
        }
    return NULL;
}

const struct et_method *et_class_method_named(const struct et_class *klass, const char *name)
{
    for (unsigned m = 0; m < klass->method_count; m++)
        if (!strcmp(klass->methods[m].name, name))
            return &klass->methods[m];
    return NULL;
}

void et_class_index(const struct et_class *klass, uint16_t *index)
{
    memset(index, 0, ET_METHODS * sizeof *index);
    for (unsigned m = 0; m < klass->method_count; m++) {
        const struct et_method *method = &klass->methods[m];
        for (unsigned i = 0; i < method->count; i++)
            for (unsigned j = 0; j < ET_MAX(method->inner_count, 1u); j++) {
                const uint32_t dword = (method->offset + i * method->stride + j * method->inner_stride) / 4u;
                if (dword < ET_METHODS)
                    index[dword] = (uint16_t)(m + 1);
            }
    }
}

int et_class_method_text(const struct et_class *klass, uint32_t offset, char *text, size_t size)
{
    unsigned i, j;
    const struct et_method *method = et_class_method(klass, offset, &i, &j);
    if (!method)
        return snprintf(text, size, "0x%04x", offset);
    if (method->inner_count)
        return snprintf(text, size, "%s(%u,%u)", method->name, i, j);
    if (method->stride)
        return snprintf(text, size, "%s(%u)", method->name, i);
    return snprintf(text, size, "%s", method->name);
}

static const char *enumerant_name(const struct et_class *klass, const struct et_field *field, uint32_t value)
{
    for (unsigned e = 0; e < field->enumerants; e++)
        if (klass->enumerants[field->first_enumerant + e].value == value)
            return klass->enumerants[field->first_enumerant + e].name;
    return NULL;
}

int et_class_value_text(const struct et_class *klass, uint32_t offset, uint32_t value, char *text,
                        size_t size)
{
    const struct et_method *method = et_class_method(klass, offset, NULL, NULL);
    int length = 0;
    if (size)
        *text = 0;
    for (unsigned f = 0; method && f < method->fields; f++) {
        const struct et_field *field = &klass->fields[method->first_field + f];
        const uint32_t part = et_bits(value, field->hi, field->lo);
        const char *name = enumerant_name(klass, field, part);
        char *to = (size_t)length < size ? text + length : NULL;
        const size_t room = to ? size - (size_t)length : 0;
        const char *bar = f ? " | " : "";
        if (name)
            length += snprintf(to, room, "%s%s = %s", bar, field->name, name);
        else if (field->hi == 31 && !field->lo && method->fields == 1)
            length += snprintf(to, room, "%s = 0x%08x", field->name, part);
        else
            length += snprintf(to, room, "%s%s = 0x%x", bar, field->name, part);
    }
    return length;
}

uint32_t et_class_field(const struct et_class *klass, uint32_t offset, uint32_t value, const char *field)
{
    const struct et_method *method = et_class_method(klass, offset, NULL, NULL);
    for (unsigned f = 0; method && f < method->fields; f++) {
        const struct et_field *row = &klass->fields[method->first_field + f];
        if (!strcmp(row->name, field))
            return et_bits(value, row->hi, row->lo);
    }
    return 0;
}
