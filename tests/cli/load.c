/* Loads libraries, and prints what threads() returns in each, 0 where there is none. Waits after
 * "-". */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **files) {
    for (int i = 1; i < count; i++) {
        if (strcmp(files[i], "-") == 0) {
            fflush(stdout);
            pause();
        }
        void *library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        int (*threads)(void) = (int (*)(void))dlsym(library, "threads");
        printf("%d ", threads == NULL ? 0 : threads());
    }
    return 0;
}
