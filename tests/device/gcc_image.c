// Does what gcc's start-up code does in a program with an image for a device, and at its end.
extern void GOMP_offload_register_ver(unsigned version, const void *host, int type,
                                      const void *image);
extern void GOMP_offload_unregister_ver(unsigned version, const void *host, int type,
                                        const void *image);

static const void *const tables[4];

int main(void) {
    enum { kNvptx = 5 };
    for (int i = 0; i < 2; ++i)
        GOMP_offload_register_ver(0x30000, tables, kNvptx, tables);
    for (int i = 0; i < 2; ++i)
        GOMP_offload_unregister_ver(0x30000, tables, kNvptx, tables);
    return 0;
}
