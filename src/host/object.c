/* Objects: classes bound to subchannels, their macro processor and shadow RAM. [DOC, DRV: notes a, c, d] */
#include "host/internal.h"

#include "base/alloc.h"

static bool has_macros(const struct et_class *klass)
{
    return et_class_method_named(klass, "CALL_MME_MACRO") != NULL;
}

static void destroy(struct et_object *object)
{
    if (!object)
        return;
    et_engine_destroy(object->engine);
    et_free(object->shadow);
    et_free(object->route);
    et_free(object);
}

void et_host_objects_destroy(struct et_channel *channel)
{
    while (channel->objects) {
        struct et_object *next = channel->objects->next;
        destroy(channel->objects);
        channel->objects = next;
    }
}

/* Which methods the macro processor takes before the engine sees them. */
static void fill_route(struct et_object *object)
{
    const struct et_engine *engine = object->engine;
    for (unsigned dword = 0; dword < ET_METHODS; dword++)
        if (engine->index[dword] && et_engine_is_front_end(&engine->klass->methods[engine->index[dword] - 1]))
            object->route[dword] = ET_ROUTE_MME;
}

static enum etalon_status create(struct et_channel *channel, uint32_t klass, struct et_object **made,
                                 struct etalon_error *error)
{
    struct et_object *object = et_calloc(1, sizeof *object);
    if (!object)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for an object");
    object->klass = (uint16_t)klass;
    object->route = et_calloc(ET_METHODS, 1);
    enum etalon_status status = object->route
                                    ? et_engine_create(&object->engine, klass, &channel->environment, error)
                                    : et_fail(error, ETALON_NO_MEMORY, "no memory for an object");
    if (!status && has_macros(object->engine->klass)) {
        object->macros = true;
        object->shadow = et_calloc(ET_METHODS, sizeof *object->shadow);
        if (!object->shadow)
            status = et_fail(error, ETALON_NO_MEMORY, "no memory for an object's shadow");
        for (unsigned dword = 0; object->shadow && dword < ET_METHODS; dword++)
            object->shadow[dword] = et_register(&object->engine->registers, 4 * dword);
    }
    if (status) {
        destroy(object);
        return status;
    }
    fill_route(object);
    object->next = channel->objects;
    channel->objects = object;
    *made = object;
    return ETALON_OK;
}

enum etalon_status et_host_bind(struct et_channel *channel, unsigned subchannel, uint32_t klass,
                                struct etalon_error *error)
{
    const struct et_chip *chip = channel->device->options.chip;
    const uint32_t known[] = {chip->threed, chip->compute,          chip->copy,
                              chip->twod,   chip->inline_to_memory, 0x906e};
    struct et_object *object = channel->objects;
    for (unsigned i = 0; i < ET_COUNT(known); i++)
        if (klass == known[i]) {
            enum etalon_status status = ETALON_OK;
            while (object && object->klass != klass)
                object = object->next;
            if (!object)
                status = create(channel, klass, &object, error);
            if (!status)
                channel->bound[subchannel] = object;
            return status;
        }
    return et_fail(error, ETALON_UNKNOWN_CLASS, "class 0x%04x is not one of %s's", klass, chip->name);
}
