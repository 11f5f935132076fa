/* Draws one kind of work on whatever Vulkan driver the loader finds, and prints its rate: what bench-raster
 * runs on two drivers. vk_raster CASE [DRAWS]; without arguments, the names of the cases. */
#include "vk_raster_shaders.h"

#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 1024, IMAGE = 512, STATES = 500, STATE_SIZE = 64, FRAMES = 3 };

struct work {
    const char *name, *vertex, *fragment;
    bool blend, depth;
    uint32_t vertices, draws; /* instances a frame */
    unsigned samples;
    double units; /* an instance */
    const char *unit;
};

static const struct work works[] = {
    {"solid", "full.vert", "solid.frag", false, false, 3, 4, 1, SIZE *SIZE, "pixels"},
    {"depth", "full.vert", "solid.frag", false, true, 3, 4, 1, SIZE *SIZE, "pixels"},
    {"blend", "full.vert", "solid.frag", true, false, 3, 4, 1, SIZE *SIZE, "pixels"},
    {"bilinear", "full.vert", "bilinear.frag", false, false, 3, 4, 1, SIZE *SIZE, "pixels"},
    {"fma64", "full.vert", "fma.frag", false, false, 3, 2, 1, SIZE *SIZE, "pixels"},
    {"triangles", "grid.vert", "solid.frag", false, false, 3 * 32768, 1, 1, 32768, "triangles"},
    {"samples4", "full.vert", "solid.frag", false, true, 3, 4, 4, SIZE *SIZE, "pixels"},
    {"states", "full.vert", "state.frag", false, false, 3, 1, 1, STATES, "states"},
    {"shaders", "full.vert", "state.frag", false, false, 3, 1, 1, STATES, "shaders"},
};

struct gpu {
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkRenderPass pass;
    VkFramebuffer frame;
    uint32_t size;
};

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "vk_raster: %s: VkResult %d\n", what, result);
        exit(1);
    }
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void open_gpu(struct gpu *gpu)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkInstance instance;
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    check(vkCreateInstance(&info, NULL, &instance), "instance");
    vkEnumeratePhysicalDevices(instance, &count, &gpu->physical);
    check(count ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED, "no device");
    vkGetPhysicalDeviceProperties(gpu->physical, &properties);
    fprintf(stderr, "%s\n", properties.deviceName);
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    check(vkCreateDevice(gpu->physical, &device, NULL, &gpu->device), "device");
    vkGetDeviceQueue(gpu->device, 0, 0, &gpu->queue);
    check(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool), "command pool");
}

static VkDeviceMemory allocate(struct gpu *gpu, const VkMemoryRequirements *need, VkMemoryPropertyFlags flags)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = need->size};
    VkDeviceMemory memory;
    for (uint32_t i = gpu->memory.memoryTypeCount; i--;)
        if (need->memoryTypeBits >> i & 1 && (gpu->memory.memoryTypes[i].propertyFlags & flags) == flags)
            info.memoryTypeIndex = i;
    check(vkAllocateMemory(gpu->device, &info, NULL, &memory), "memory");
    return memory;
}

static VkImage make_image(struct gpu *gpu, uint32_t size, VkFormat format, VkImageUsageFlags usage,
                          VkImageAspectFlags aspect, unsigned samples, VkImageView *view)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {size, size, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = (VkSampleCountFlagBits)samples,
                                    .usage = usage};
    VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = format,
                                       .subresourceRange = {aspect, 0, 1, 0, 1}};
    VkMemoryRequirements need;
    check(vkCreateImage(gpu->device, &info, NULL, &view_info.image), "image");
    vkGetImageMemoryRequirements(gpu->device, view_info.image, &need);
    check(vkBindImageMemory(gpu->device, view_info.image, allocate(gpu, &need, 0), 0), "image memory");
    check(vkCreateImageView(gpu->device, &view_info, NULL, view), "image view");
    return view_info.image;
}

static VkCommandBuffer begin(struct gpu *gpu)
{
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = gpu->pool,
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo start = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(gpu->device, &info, &commands), "command buffer");
    check(vkBeginCommandBuffer(commands, &start), "begin");
    return commands;
}

/* Ends and runs the commands; the seconds that took. */
static double run(struct gpu *gpu, VkCommandBuffer commands)
{
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    check(vkEndCommandBuffer(commands), "end");
    const double start = now();
    check(vkQueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE), "submit");
    check(vkQueueWaitIdle(gpu->queue), "wait");
    return now() - start;
}

/* A texture of noise, in a descriptor set. */
static void make_texture(struct gpu *gpu)
{
    const VkDeviceSize bytes = (VkDeviceSize)IMAGE * IMAGE * 4;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer;
    VkMemoryRequirements need;
    VkDescriptorImageInfo descriptor = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    uint32_t *texels;
    check(vkCreateBuffer(gpu->device, &info, NULL, &buffer), "buffer");
    vkGetBufferMemoryRequirements(gpu->device, buffer, &need);
    const VkDeviceMemory memory =
        allocate(gpu, &need, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(gpu->device, buffer, memory, 0), "buffer memory");
    check(vkMapMemory(gpu->device, memory, 0, bytes, 0, (void **)&texels), "map");
    for (uint32_t i = 0; i < IMAGE * IMAGE; i++)
        texels[i] = i * 2654435761u;
    const VkImage image = make_image(gpu, IMAGE, VK_FORMAT_R8G8B8A8_UNORM,
                                     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                     VK_IMAGE_ASPECT_COLOR_BIT, 1, &descriptor.imageView);
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {IMAGE, IMAGE, 1}};
    const VkCommandBuffer commands = begin(gpu);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         0, NULL, 0, NULL, 1, &barrier);
    vkCmdCopyBufferToImage(commands, buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    run(gpu, commands);

    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .magFilter = VK_FILTER_LINEAR,
                                         .minFilter = VK_FILTER_LINEAR};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_ALL, NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {.sType =
                                                        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = 1,
                                                    .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorPool pool;
    check(vkCreateSampler(gpu->device, &sampler, NULL, &descriptor.sampler), "sampler");
    check(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &gpu->set_layout), "set layout");
    check(vkCreateDescriptorPool(gpu->device, &pool_info, NULL, &pool), "descriptor pool");
    const VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &gpu->set_layout};
    check(vkAllocateDescriptorSets(gpu->device, &set, &gpu->set), "descriptor set");
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = gpu->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                        .pImageInfo = &descriptor};
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    const VkPipelineLayoutCreateInfo pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .setLayoutCount = 1,
                                                 .pSetLayouts = &gpu->set_layout};
    check(vkCreatePipelineLayout(gpu->device, &pipeline, NULL, &gpu->layout), "pipeline layout");
}

static void make_targets(struct gpu *gpu, unsigned samples)
{
    VkImageView view[2];
    const VkFormat format[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT};
    VkAttachmentDescription attachment[2];
    make_image(gpu, gpu->size, format[0], VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
               samples, &view[0]);
    make_image(gpu, gpu->size, format[1], VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
               VK_IMAGE_ASPECT_DEPTH_BIT, samples, &view[1]);
    for (unsigned i = 0; i < 2; i++)
        attachment[i] = (VkAttachmentDescription){.format = format[i],
                                                  .samples = (VkSampleCountFlagBits)samples,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL}, depth = {1, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {
        .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthStencilAttachment = &depth};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachment,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    check(vkCreateRenderPass(gpu->device, &pass, NULL, &gpu->pass), "render pass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = gpu->pass,
                                           .attachmentCount = 2,
                                           .pAttachments = view,
                                           .width = gpu->size,
                                           .height = gpu->size,
                                           .layers = 1};
    check(vkCreateFramebuffer(gpu->device, &frame, NULL, &gpu->frame), "framebuffer");
}

static VkShaderModule module_of(struct gpu *gpu, const char *name)
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    VkShaderModule module = VK_NULL_HANDLE;
    for (size_t i = 0; i < sizeof spvs / sizeof *spvs; i++)
        if (!strcmp(spvs[i].name, name)) {
            info.codeSize = spvs[i].bytes;
            info.pCode = spvs[i].words;
        }
    check(vkCreateShaderModule(gpu->device, &info, NULL, &module), name);
    return module;
}

/* variant: of the states run: its shader's constant, and the state that goes with it. */
static VkPipeline make_pipeline(struct gpu *gpu, const struct work *work, unsigned variant)
{
    const float seed = (float)variant;
    const VkSpecializationMapEntry entry = {0, 0, sizeof seed};
    const VkSpecializationInfo constants = {1, &entry, sizeof seed, &seed};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = module_of(gpu, work->vertex),
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = module_of(gpu, work->fragment),
         .pName = "main",
         .pSpecializationInfo = &constants}};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, (float)gpu->size, (float)gpu->size, 0, 1};
    const VkRect2D scissor = {{0, 0}, {gpu->size, gpu->size}};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)work->samples};
    const VkBool32 depth = work->depth || (variant & 2);
    const VkPipelineDepthStencilStateCreateInfo tests = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = depth,
        .depthWriteEnable = depth,
        .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
    const VkPipelineColorBlendAttachmentState blend = {work->blend || (variant & 1),
                                                       VK_BLEND_FACTOR_SRC_ALPHA,
                                                       VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                       VK_BLEND_OP_ADD,
                                                       VK_BLEND_FACTOR_ONE,
                                                       VK_BLEND_FACTOR_ZERO,
                                                       VK_BLEND_OP_ADD,
                                                       15 ^ (variant >> 2 & 7)};
    const VkPipelineColorBlendStateCreateInfo blends = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &blend};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pDepthStencilState = &tests,
                                               .pColorBlendState = &blends,
                                               .layout = gpu->layout,
                                               .renderPass = gpu->pass};
    VkPipeline pipeline;
    check(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "pipeline");
    return pipeline;
}

/* One frame: a pass that draws with each pipeline in turn. */
static double draw_frame(struct gpu *gpu, const struct work *work, const VkPipeline *pipelines,
                         unsigned count, uint32_t instances)
{
    const VkClearValue clear[2] = {{.color = {{0}}}, {.depthStencil = {1, 0}}};
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = gpu->pass,
                                        .framebuffer = gpu->frame,
                                        .renderArea = {{0, 0}, {gpu->size, gpu->size}},
                                        .clearValueCount = 2,
                                        .pClearValues = clear};
    const VkCommandBuffer commands = begin(gpu);
    vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, gpu->layout, 0, 1, &gpu->set, 0, NULL);
    for (unsigned i = 0; i < count; i++) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        vkCmdDraw(commands, work->vertices, instances, 0, 0);
    }
    vkCmdEndRenderPass(commands);
    return run(gpu, commands);
}

int main(int argc, char **argv)
{
    const struct work *work = NULL;
    static VkPipeline pipelines[STATES];
    struct gpu gpu = {0};
    double best = 0;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (argc < 2)
            puts(works[i].name);
        else if (!strcmp(argv[1], works[i].name))
            work = &works[i];
    }
    if (argc < 2)
        return 0;
    check(work ? VK_SUCCESS : VK_ERROR_UNKNOWN, "no such case");
    const bool shaders = !strcmp(work->name, "shaders"), states = shaders || !strcmp(work->name, "states");
    const unsigned count = states ? STATES : 1, frames = states ? 1 : FRAMES;
    const uint32_t draws = argc > 2 ? (uint32_t)atoi(argv[2]) : work->draws;
    gpu.size = shaders ? 1 : states ? STATE_SIZE : SIZE;
    open_gpu(&gpu);
    make_texture(&gpu);
    make_targets(&gpu, work->samples);
    for (unsigned i = 0; i < count; i++)
        pipelines[i] = make_pipeline(&gpu, work, states ? i : 0);
    for (unsigned i = 0; i < frames; i++) { /* where there are several, the first is to warm up */
        const double seconds = draw_frame(&gpu, work, pipelines, count, draws);
        if (frames == 1 || (i && (best == 0 || seconds < best)))
            best = seconds;
    }
    printf("%s %.0f %s\n", work->name, work->units * draws / best, work->unit);
    return 0;
}
