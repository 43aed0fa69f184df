// A plugin that uses OpenMP is opened, used and closed, again and again, by a program that does
// not: the runtime's threads must survive its unloading.
// The program builds the plugin from its own source at run time, with the compiler of its build
// (TEST_COMPILER).
#include <dlfcn.h>
#include <string.h>

#include "check.h"

#ifdef RT_PLUGIN
int plugin_work(int n) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < n; ++i)
        sum += i;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(sum)
        {
#pragma omp atomic
            sum += 1;
        }
    }
    return sum;
}
#else
int main(void) {
    char folder[] = "/tmp/loomp-plugin-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s/plugin.so", folder);
#ifdef __clang__
    const char *compiler = TEST_COMPILER " -fopenmp=libomp -L${LD_LIBRARY_PATH%%:*}";
#else
    const char *compiler = TEST_COMPILER " -fopenmp";
#endif
    snprintf(command, sizeof command, "%s -w -shared -fPIC -DRT_PLUGIN -O1 -I%.*s %s -o %s",
             compiler, (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__, __FILE__, path);
    CHECK_EQ(system(command), 0);
    for (int round = 0; round < 20; ++round) {
        void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (plugin == NULL)
            fprintf(stderr, "%s\n", dlerror());
        CHECK(plugin != NULL);
        int (*work)(int) = (int (*)(int))dlsym(plugin, "plugin_work");
        CHECK(work != NULL);
        CHECK_EQ(work(100), 4950 + 100);
        CHECK_EQ(dlclose(plugin), 0);
        usleep(200); // idle threads are asleep or spinning somewhere
    }
    unlink(path);
    rmdir(folder);
    return 0;
}
#endif
