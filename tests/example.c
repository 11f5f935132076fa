/* The library in one small program: a Tegra X1 uploads four words through its inline-to-memory class and releases a
 * semaphore, as a driver would ask it to. */
#include <etalon.h>

#include <stdio.h>
#include <string.h>

#define PUSHBUFFER 0x100000u
#define BUFFER     0x200000u
#define SEMAPHORE  0x201000u

/* A header of the incrementing kind: count words to method (bytes) of a subchannel. */
static uint32_t header(uint32_t subchannel, uint32_t method, uint32_t count)
{
    return 1u << 29 | count << 16 | subchannel << 13 | method >> 2;
}

/* And one whose words all go to the same method. */
static uint32_t same(uint32_t subchannel, uint32_t method, uint32_t count)
{
    return 3u << 29 | count << 16 | subchannel << 13 | method >> 2;
}

int main(void)
{
    const uint32_t words[] = {
        header(2, 0x0000, 1), 0xa140, /* SET_OBJECT: KEPLER_INLINE_TO_MEMORY_B */
        header(2, 0x0180, 4), 16, 1, 0, BUFFER, /* line length, line count, destination */
        header(2, 0x01b0, 1), 0x1,              /* launch: pitch destination */
        same(2, 0x01b4, 4), 1, 2, 3, 0xcafe,    /* the data */
        header(2, 0x0010, 4), 0, SEMAPHORE, 42, 2 | 1u << 24, /* SEMAPHOREA..D: release one word */
    };
    const struct etalon_options options = {.chip = "gm20b", .ram_bytes = 16u << 20, .closed_world = 1};
    struct etalon_error error = {0};
    struct etalon_device *device;
    struct etalon_space *space;
    struct etalon_channel *channel;
    struct etalon_run run;
    uint32_t result[4], semaphore;

    if (etalon_create(&device, &options, &error) || etalon_space_create(device, &space, &error) ||
        etalon_map(space, PUSHBUFFER, 0x10000, 0x10000, 0, 0, &error) ||
        etalon_map(space, BUFFER, 0x10000, 0x20000, 0, 0, &error) ||
        etalon_channel_create(space, 1, &channel, &error) ||
        etalon_write(space, PUSHBUFFER, words, sizeof words, &error) ||
        etalon_push(channel, PUSHBUFFER, sizeof words / 4, &error) || etalon_run(device, &run, &error) ||
        etalon_read(space, BUFFER, result, sizeof result, &error) ||
        etalon_read(space, SEMAPHORE, &semaphore, sizeof semaphore, &error)) {
        fprintf(stderr, "%s: %s\n", etalon_status_name(error.status), error.text);
        return 1;
    }
    printf("%u %u %u 0x%x, semaphore %u\n", result[0], result[1], result[2], result[3], semaphore);
    etalon_destroy(device);
    return result[3] == 0xcafe && semaphore == 42 && run.state == ETALON_IDLE ? 0 : 1;
}
