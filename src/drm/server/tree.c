/* The node's /dev and /sys: real files and links in a folder of ours, to which clients' paths are redirected.
 */
#include "drm/server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folders(const char *path)
{
    char part[600];
    if (strlen(path) >= sizeof part)
        return false;
    for (size_t i = 1; path[i]; i++)
        if (path[i] == '/') {
            memcpy(part, path, i);
            part[i] = 0;
            if (mkdir(part, 0755) && errno != EEXIST)
                return false;
        }
    return !mkdir(path, 0755) || errno == EEXIST;
}

static bool write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[700];
    int fd;
    bool fine;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    fine = write(fd, bytes, size) == (ssize_t)size;
    return !close(fd) && fine;
}

static bool write_hex(const char *folder, const char *name, unsigned value, int digits)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "0x%0*x\n", digits, value);
    return write_file(folder, name, text, (size_t)n);
}

static bool make_pci(const char *device, const struct et_drm_card *card)
{
    const uint8_t config[64] = {0xde,
                                0x10,
                                (uint8_t)card->pci_device,
                                (uint8_t)(card->pci_device >> 8),
                                7,
                                0,
                                0x10,
                                0,
                                0xa1,
                                0,
                                0,
                                3,
                                [0x2c] = 0xde,
                                [0x2d] = 0x10};
    char text[256];
    const int n = snprintf(text, sizeof text,
                           "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=10DE:%04X\nPCI_SUBSYS_ID=10DE:0000\n"
                           "PCI_SLOT_NAME=0000:01:00.0\n",
                           card->pci_device);
    return write_file(device, "uevent", text, (size_t)n) &&
           write_file(device, "config", config, sizeof config) && write_hex(device, "vendor", 0x10de, 4) &&
           write_hex(device, "device", card->pci_device, 4) &&
           write_hex(device, "subsystem_vendor", 0x10de, 4) && write_hex(device, "subsystem_device", 0, 4) &&
           write_hex(device, "revision", 0xa1, 2) && write_hex(device, "class", 0x030000, 6);
}

static bool make_platform(const char *device)
{
    static const char text[] = "DRIVER=nouveau\nOF_NAME=gpu\nOF_FULLNAME=/gpu@57000000\n"
                               "OF_COMPATIBLE_0=nvidia,gm20b\nOF_COMPATIBLE_N=1\n";
    return write_file(device, "uevent", text, sizeof text - 1);
}

static bool link_to(const char *target, const char *folder, const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return !symlink(target, path) || errno == EEXIST;
}

bool et_drm_tree_make(const char *folder, const struct et_drm_card *card)
{
    static const char minor[] = "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n";
    char device[400], node[500], at[500], bus[400];
    snprintf(device, sizeof device, "%s/sys/devices/%s", folder,
             card->pci_device ? "pci0000:00/0000:01:00.0" : "platform/57000000.gpu");
    snprintf(node, sizeof node, "%s/drm/renderD128", device);
    snprintf(bus, sizeof bus, "%s/sys/bus/%s", folder, card->pci_device ? "pci" : "platform");
    if (!make_folders(node) || !make_folders(bus) || !link_to(bus, device, "subsystem") ||
        !link_to(device, node, "device") || !write_file(node, "uevent", minor, sizeof minor - 1) ||
        !write_file(node, "dev", "226:128\n", 8))
        return false;
    snprintf(at, sizeof at, "%s/sys/dev/char", folder);
    if (!make_folders(at) || !link_to(node, at, "226:128"))
        return false;
    snprintf(at, sizeof at, "%s/sys/class/drm", folder);
    if (!make_folders(at) || !link_to(node, at, "renderD128"))
        return false;
    snprintf(at, sizeof at, "%s/dev/dri", folder);
    if (!make_folders(at) || !write_file(at, "renderD128", "", 0))
        return false;
    return card->pci_device ? make_pci(device, card) : make_platform(device);
}
