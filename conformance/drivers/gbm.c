/* OpenGL ES into a GBM buffer: cc gbm.c -lgbm -lEGL -lGLESv2. Clears one, draws a triangle over its lower
 * left half, reads it back, and looks at the same bytes through gbm_bo_map and through a dma-buf that is
 * imported again. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE 64u
#define NEED(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "gbm:%d: not so: %s (EGL 0x%x)\n", __LINE__, #condition, eglGetError());         \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static GLuint shader(GLenum kind, const char *text)
{
    const GLuint name = glCreateShader(kind);
    GLint fine = 0;
    glShaderSource(name, 1, &text, NULL);
    glCompileShader(name);
    glGetShaderiv(name, GL_COMPILE_STATUS, &fine);
    NEED(fine);
    return name;
}

static void draw(void)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1};
    const GLuint program = glCreateProgram();
    glAttachShader(
        program, shader(GL_VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0, 1, 0, 1); }"));
    glBindAttribLocation(program, 0, "p");
    glLinkProgram(program);
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
}

static EGLDisplay display;

/* A framebuffer over a buffer. */
static void target(struct gbm_bo *bo)
{
    const PFNEGLCREATEIMAGEKHRPROC create = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    const PFNGLEGLIMAGETARGETTEXTURE2DOESPROC bind =
        (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    GLuint texture, framebuffer;
    EGLImageKHR image;
    NEED(create && bind);
    image = create(display, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, (EGLClientBuffer)bo, NULL);
    NEED(image != EGL_NO_IMAGE_KHR);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    bind(GL_TEXTURE_2D, image);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    NEED(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
}

/* Red above, green below the diagonal; rows from the bottom. */
static unsigned wrong(const uint8_t *rgba, size_t stride, unsigned red, unsigned green)
{
    unsigned count = 0;
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++) {
            const uint8_t *at = rgba + y * stride + 4 * x;
            const unsigned inside = x + y < SIZE - 1;
            if (x + y != SIZE - 1) /* the edge's own pixels are the rasterizer's affair */
                count += at[green] != (inside ? 255 : 0) || at[red] != (inside ? 0 : 255) || at[3] != 255;
        }
    return count;
}

int main(void)
{
    static const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    static uint8_t pixels[SIZE * SIZE * 4];
    const int node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    struct gbm_device *device = node < 0 ? NULL : gbm_create_device(node);
    struct gbm_import_fd_data data = {.width = SIZE, .height = SIZE, .format = GBM_FORMAT_ARGB8888};
    struct gbm_bo *bo, *again;
    EGLContext context;
    uint32_t stride;
    void *map = NULL, *bytes;
    NEED(device);
    display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
    NEED(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_ES_API));
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    NEED(context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    printf("%s on %s\n", (const char *)glGetString(GL_RENDERER), gbm_device_get_backend_name(device));
    bo = gbm_bo_create(device, SIZE, SIZE, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);
    NEED(bo);
    target(bo);
    draw();
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    NEED(!wrong(pixels, (size_t)SIZE * 4, 0, 1));
    bytes = gbm_bo_map(bo, 0, 0, SIZE, SIZE, GBM_BO_TRANSFER_READ, &stride, &map);
    NEED(bytes && !wrong(bytes, stride, 2, 1));
    gbm_bo_unmap(bo, map);
    data.fd = gbm_bo_get_fd(bo);
    data.stride = gbm_bo_get_stride(bo);
    NEED(data.fd >= 0 && lseek(data.fd, 0, SEEK_END) >= (off_t)(SIZE * SIZE * 4));
    again = gbm_bo_import(device, GBM_BO_IMPORT_FD, &data, GBM_BO_USE_RENDERING);
    NEED(again);
    close(data.fd);
    gbm_bo_destroy(bo);
    target(again);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    NEED(!wrong(pixels, (size_t)SIZE * 4, 0, 1) && !glGetError());
    gbm_bo_destroy(again);
    eglTerminate(display);
    gbm_device_destroy(device);
    puts("gbm: as it should be");
    return 0;
}
