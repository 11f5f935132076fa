/* Presents to VK_EXT_headless_surface: cc headless.c -lvulkan. A frame's image is cleared to the frame's
 * colour, copied to a buffer and looked at, and presented. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define SIZE   64u
#define FRAMES 8
#define NEED(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "headless:%d: not so: %s\n", __LINE__, #condition);                              \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define CALL(call) NEED((call) == VK_SUCCESS)

static VkInstance instance;
static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkSurfaceKHR surface;

static void start(void)
{
    static const char *const extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                             VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    static const char *const of_device[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    static const float priority = 1;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = 2,
                                       .ppEnabledExtensionNames = extensions};
    const VkDeviceQueueCreateInfo queue_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue_info,
                                            .enabledExtensionCount = 1,
                                            .ppEnabledExtensionNames = of_device};
    const VkHeadlessSurfaceCreateInfoEXT surface_info = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    VkPhysicalDeviceProperties properties;
    PFN_vkCreateHeadlessSurfaceEXT create;
    VkBool32 presents = VK_FALSE;
    uint32_t count = 1;
    CALL(vkCreateInstance(&info, NULL, &instance));
    NEED(vkEnumeratePhysicalDevices(instance, &count, &gpu) >= 0 && count);
    vkGetPhysicalDeviceProperties(gpu, &properties);
    puts(properties.deviceName);
    create = (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT");
    NEED(create);
    CALL(create(instance, &surface_info, NULL, &surface));
    CALL(vkGetPhysicalDeviceSurfaceSupportKHR(gpu, 0, surface, &presents));
    NEED(presents);
    CALL(vkCreateDevice(gpu, &device_info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
}

static VkDeviceMemory memory_of(const VkMemoryRequirements *need)
{
    VkPhysicalDeviceMemoryProperties memory;
    const VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkDeviceMemory result = VK_NULL_HANDLE;
    vkGetPhysicalDeviceMemoryProperties(gpu, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount && !result; i++)
        if (need->memoryTypeBits >> i & 1 && (memory.memoryTypes[i].propertyFlags & want) == want) {
            const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                               .allocationSize = need->size,
                                               .memoryTypeIndex = i};
            CALL(vkAllocateMemory(device, &info, NULL, &result));
        }
    NEED(result);
    return result;
}

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier info = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                       .dstAccessMask =
                                           VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                       .oldLayout = from,
                                       .newLayout = to,
                                       .image = image,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         0, NULL, 0, NULL, 1, &info);
}

static void record(VkCommandBuffer commands, VkImage image, VkBuffer buffer, unsigned frame)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkClearColorValue colour = {
        {(float)(frame & 1), (float)(frame >> 1 & 1), (float)(frame >> 2 & 1), 1}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {SIZE, SIZE, 1}};
    CALL(vkBeginCommandBuffer(commands, &begin));
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &colour, 1, &range);
    barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &region);
    barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    CALL(vkEndCommandBuffer(commands));
}

int main(void)
{
    VkSwapchainCreateInfoKHR chain_info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                           .imageExtent = {SIZE, SIZE},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                           .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                           .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                           .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = (VkDeviceSize)SIZE * SIZE * 4,
                                            .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    VkCommandBufferAllocateInfo commands_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandBufferCount = 1};
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSurfaceCapabilitiesKHR capabilities;
    VkSwapchainKHR chain;
    VkImage images[16];
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkMemoryRequirements need;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence acquired, done;
    uint32_t count = 16, *pixels;
    start();
    CALL(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu, surface, &capabilities));
    chain_info.surface = surface;
    chain_info.minImageCount = capabilities.minImageCount;
    CALL(vkCreateSwapchainKHR(device, &chain_info, NULL, &chain));
    CALL(vkGetSwapchainImagesKHR(device, chain, &count, images));
    CALL(vkCreateBuffer(device, &buffer_info, NULL, &buffer));
    vkGetBufferMemoryRequirements(device, buffer, &need);
    memory = memory_of(&need);
    CALL(vkBindBufferMemory(device, buffer, memory, 0));
    CALL(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&pixels));
    CALL(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    commands_info.commandPool = pool;
    CALL(vkAllocateCommandBuffers(device, &commands_info, &commands));
    CALL(vkCreateFence(device, &fence_info, NULL, &acquired));
    CALL(vkCreateFence(device, &fence_info, NULL, &done));
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        uint32_t index;
        const VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
        const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                          .swapchainCount = 1,
                                          .pSwapchains = &chain,
                                          .pImageIndices = &index};
        const uint32_t want =
            0xff000000u | (frame & 1 ? 0xff0000u : 0) | (frame & 2 ? 0xff00u : 0) | (frame & 4 ? 0xffu : 0);
        CALL(vkAcquireNextImageKHR(device, chain, UINT64_MAX, VK_NULL_HANDLE, acquired, &index));
        CALL(vkWaitForFences(device, 1, &acquired, VK_TRUE, UINT64_MAX));
        CALL(vkResetFences(device, 1, &acquired));
        record(commands, images[index], buffer, frame);
        CALL(vkQueueSubmit(queue, 1, &submit, done));
        CALL(vkWaitForFences(device, 1, &done, VK_TRUE, UINT64_MAX));
        CALL(vkResetFences(device, 1, &done));
        for (unsigned i = 0; i < SIZE * SIZE; i++)
            NEED(pixels[i] == want);
        CALL(vkQueuePresentKHR(queue, &present));
    }
    CALL(vkDeviceWaitIdle(device));
    vkDestroyFence(device, acquired, NULL);
    vkDestroyFence(device, done, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroySwapchainKHR(device, chain, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroySurfaceKHR(instance, surface, NULL);
    vkDestroyInstance(instance, NULL);
    puts("headless: as it should be");
    return 0;
}
