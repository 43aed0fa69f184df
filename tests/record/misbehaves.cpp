// Uses OpenMP, labels and named regions when and where few programs do: misbehaves MODE. Without a
// mode, it prints all modes. Its output and its exit status are equal with and without a recorder.
// With LIBRARY defined, this is a shared library whose constructor and destructor use OpenMP, too;
// with LINKED, a program that is linked with it.
#include <loomp/record.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Runs `count` tasks with labels in a region; returns how many have run.
int tasks(int count, const char *label) {
    std::atomic<int> ran{0};
    loomp_region_begin(label);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < count; ++i) {
        loomp_task_label(label);
#pragma omp task shared(ran)
        ++ran;
    }
    loomp_region_end(label);
    return ran;
}

} // namespace

#ifdef LIBRARY

namespace {

int early = 0;

__attribute__((constructor)) void begins() {
    loomp_task_label(nullptr); // the first call needs the loader's lock, which dlopen() holds here
    early = tasks(10, "constructor");
}
__attribute__((destructor)) void ends() {
    std::printf("destructor %d\n", tasks(10, "destructor"));
    std::fflush(stdout);
}

} // namespace

extern "C" int ran_early() { return early + tasks(10, "library"); }

#else

#ifdef LINKED
extern "C" int ran_early();
#endif

namespace {

std::string folder; ///< the program's

int report(const char *what, long value) {
    std::printf("%s %ld\n", what, value);
    std::fflush(stdout);
    return 0;
}

char changing[201]; ///< a label, whose address stays

/// Runs tasks with a long label.
int tasks_with(char letter) {
    std::memset(changing, letter, sizeof changing - 1);
    return tasks(10, changing);
}

/// Returns how many tasks with another label have run, or how many bytes of the program's changed.
int label_at_the_end() {
    std::unique_ptr<char[]> mine[50];
    for (auto &bytes : mine) {
        bytes.reset(new char[201]);
        std::memset(bytes.get(), 'M', 201);
    }
    const int ran = tasks_with(changing[0] == 'a' ? 'b' : 'a');
    int wrong = 0;
    for (const auto &bytes : mine)
        for (int i = 0; i < 201; ++i)
            wrong += bytes[i] != 'M';
    return wrong == 0 ? ran : -wrong;
}

int at_exit() {
    std::atexit([] { report("handler", label_at_the_end()); });
    static struct Last {
        ~Last() { report("destructor", label_at_the_end()); }
    } last;
    return report("main", tasks_with('c'));
}

int quick_exits() {
    std::at_quick_exit([] { report("handler", label_at_the_end()); });
    report("main", tasks(10, "main"));
    std::quick_exit(3);
}

int exits_at_once() {
    report("main", tasks(10, "main"));
    loomp_region_begin("open");
    _exit(4);
}

/// Exits in the middle of a task, and of regions.
int exits_in_a_task() {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        loomp_task_label("last");
#pragma omp task
        {
            loomp_region_begin("open");
            std::exit(5);
        }
    }
    return 1;
}

int aborts() {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    report("main", tasks(10, "main"));
    std::abort();
}

void *works_on(void *) {
    for (int i = 0;; ++i)
        tasks(1, std::to_string(i).c_str());
}

int threads_outlive_main() {
    for (int i = 0; i < 2; ++i) {
        pthread_t thread;
        pthread_create(&thread, nullptr, works_on, nullptr);
        pthread_detach(thread);
    }
    usleep(20000);
    return report("main", tasks(10, "main"));
}

int main_ends_first() {
    static std::atomic<bool> ends{false};
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void *) -> void * {
            while (!ends)
                usleep(100);
            usleep(20000);
            report("thread", tasks(10, "thread"));
            return nullptr;
        },
        nullptr);
    report("main", tasks(10, "main"));
    ends = true;
    pthread_exit(nullptr);
}

/// The destructors of thread-local objects and of thread-specific data.
int threads_end() {
    struct Last {
        ~Last() { report("destructor", label_at_the_end()); }
    };
    static pthread_key_t key;
    pthread_key_create(&key, [](void *) { report("key", label_at_the_end()); });
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void *) -> void * {
            static thread_local Last last;
            (void)&last;
            pthread_setspecific(key, &key);
            report("thread", tasks_with('d'));
            return nullptr;
        },
        nullptr);
    return pthread_join(thread, nullptr);
}

/// The first use of OpenMP is on the smallest stack.
int has_a_small_stack() {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    pthread_t thread;
    pthread_create(
        &thread, &small,
        [](void *) -> void * {
            report("thread", tasks(10, "thread"));
            return nullptr;
        },
        nullptr);
    return pthread_join(thread, nullptr);
}

int closes_libraries() {
    for (int i = 0; i < 3; ++i) {
        void *const library = dlopen((folder + "/libmisbehaves.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return report(dlerror(), 0) + 1;
        report("library", reinterpret_cast<int (*)()>(dlsym(library, "ran_early"))());
        dlclose(library);
        report("main", tasks(10, "main"));
    }
    return 0;
}

int forks() {
    report("parent", tasks(10, "parent"));
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            loomp_region_begin("of a child");
            if (i == 1)
                report("child", tasks(10, "child"));
            loomp_task_label("of a child");
            loomp_region_end("of a child");
            i == 2 ? std::exit(i) : _exit(i);
        }
        int status = 0;
        waitpid(child, &status, 0);
        report("status", WEXITSTATUS(status));
    }
    return report("parent", tasks(10, "parent"));
}

int executes() {
    report("before", tasks(10, "before"));
    execl((folder + "/misbehaves").c_str(), "misbehaves", "exits_at_once", nullptr);
    return 1;
}

int throws() {
    int caught = 0;
    for (int i = 0; i < 10; ++i)
        try {
            loomp_region_begin("left by an exception");
            tasks(1, "task");
            loomp_task_label("never used");
            throw std::runtime_error("out");
        } catch (const std::exception &) {
            ++caught;
        }
    std::atomic<int> inside{0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; ++i)
#pragma omp task shared(inside)
        try {
            loomp_region_begin("left by an exception");
            throw i;
        } catch (int) {
            ++inside;
        }
    report("inside", inside);
    return report("caught", caught);
}

int jumps() {
    static std::jmp_buf back;
    static int jumped = 0;
    while (jumped < 10) {
        if (setjmp(back) == 0) {
            loomp_region_begin("left by a jump");
            tasks(1, "task");
            std::longjmp(back, 1);
        }
        ++jumped;
    }
    return report("jumped", jumped);
}

volatile std::sig_atomic_t signals = 0;

/// A profiler's clock, whose signals interrupt system calls.
int gets_signals() {
    struct sigaction action = {};
    action.sa_handler = [](int) { signals = signals + 1; };
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often = {{0, 200}, {0, 200}};
    const itimerval never = {};
    setitimer(ITIMER_REAL, &often, nullptr);
    long ran = 0;
    for (int i = 0; i < 100; ++i)
        ran += tasks(1000, "task");
    setitimer(ITIMER_REAL, &never, nullptr);
    report("signals", signals > 0);
    return report("tasks", ran);
}

/// A signal's handler leaves the code by a jump, as some debuggers of memory do.
int jumps_from_handlers() {
    static sigjmp_buf back;
    std::signal(SIGSEGV, [](int) { siglongjmp(back, 1); });
    static int faults = 0;
    while (faults < 3) {
        tasks(1, "task");
        if (sigsetjmp(back, 1) == 0) {
            loomp_region_begin("left by a fault");
            *static_cast<volatile int *>(nullptr) = 1;
        }
        ++faults;
    }
    return report("faults", faults);
}

/// A daemon closes what it has inherited, and its own files get these numbers.
int closes_descriptors() {
    tasks(10, "before");
    for (int file = 3; file < 1000; ++file)
        close(file);
    int files[64];
    const std::string name = folder + "/mine." + std::to_string(getpid());
    for (int &file : files)
        file = open(name.c_str(), O_RDWR | O_CREAT, 0600);
    unlink(name.c_str());
    if (write(files[0], "mine", 4) != 4)
        return 1;
    for (int i = 0; i < 100; ++i)
        tasks(1000, "after");
    int lost = 0;
    for (const int file : files)
        lost += fcntl(file, F_GETFD) < 0;
    struct stat mine = {};
    fstat(files[0], &mine);
    report("lost", lost);
    report("first", files[0]);
    return report("size", mine.st_size);
}

int changes_its_folder() {
    report("before", tasks(10, "before"));
    report("chdir", chdir("/"));
    for (int i = 0; i < 100; ++i)
        tasks(1000, "after");
    return report("after", tasks(10, "new label"));
}

/// A file of the recorder would be longer than the program's files may be.
int limits_its_files() {
    report("before", tasks(10, "before"));
    const rlimit small = {1000, 1000};
    report("limit", setrlimit(RLIMIT_FSIZE, &small));
    long ran = 0;
    for (int i = 0; i < 100; ++i)
        ran += tasks(1000, "after");
    return report("after", ran);
}

/// A call that records is no cancellation point: a cancelled thread goes on to one of its own.
int is_cancelled() {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void *) -> void * {
            pthread_cancel(pthread_self());
            pthread_mutex_lock(&mutex);
            for (int i = 0; i < 20; ++i) {
                loomp_region_begin(("cancelled " + std::to_string(i)).c_str());
                loomp_region_end(nullptr);
            }
            pthread_mutex_unlock(&mutex);
            pthread_testcancel();
            return nullptr;
        },
        nullptr);
    pthread_join(thread, nullptr);
    return report("held", pthread_mutex_trylock(&mutex));
}

/// A file of the program's gets the number of stderr. Then the recorder has something to say,
/// because its files would be longer than the program's may be.
int closes_stderr() {
    tasks(10, "before");
    const std::string name = folder + "/mine." + std::to_string(getpid());
    close(STDERR_FILENO);
    const int mine = open(name.c_str(), O_RDWR | O_CREAT, 0600);
    unlink(name.c_str());
    const rlimit small = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 100; ++i)
        tasks(1000, "after");
    struct stat file = {};
    fstat(mine, &file);
    report("number", mine);
    return report("size", file.st_size);
}

int uses_up_descriptors() {
    report("before", tasks(10, "before"));
    const rlimit few = {64, 64};
    setrlimit(RLIMIT_NOFILE, &few);
    int last = -1;
    for (int file = 0; (file = dup(STDOUT_FILENO)) >= 0;)
        last = file;
    long ran = 0;
    for (int i = 0; i < 100; ++i)
        ran += tasks(1000, "after");
    ran += tasks(10, "new label");
    report("last", last);
    return report("after", ran);
}

/// The program's memory, in MiB.
long mapped() {
    long pages = 0;
    if (std::FILE *const file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld", &pages) != 1)
            pages = 0;
        std::fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

int threads_come_and_go() {
    static std::atomic<int> ran{0};
    const auto run_threads = [](int count) {
        for (int i = 0; i < count; ++i) {
            pthread_t thread;
            pthread_create(
                &thread, nullptr,
                [](void *) -> void * {
                    loomp_region_begin("thread");
#pragma omp task
                    ++ran;
#pragma omp taskwait
                    loomp_region_end("thread");
                    return nullptr;
                },
                nullptr);
            pthread_join(thread, nullptr);
        }
    };
    run_threads(20);
    const long before = mapped();
    run_threads(300);
    report("ran", ran);
    return report("grown", mapped() - before > 150);
}

/// Forks like fork(), but calls no handlers.
pid_t fork_quietly() {
#if __GLIBC_PREREQ(2, 34)
    return _Fork();
#else
    return fork();
#endif
}

int forks_quietly() {
    report("parent", tasks(10, "parent"));
    loomp_region_begin("parent's");
    const pid_t child = fork_quietly();
    if (child == 0) {
        for (int i = 0; i < 1000; ++i) {
            loomp_region_begin("child's");
            loomp_region_end("child's");
        }
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    loomp_region_end("parent's");
    return report("status", WEXITSTATUS(status));
}

/// The child is the first to use OpenMP.
int forks_quietly_at_first() {
    loomp_region_begin("parent's");
    const pid_t child = fork_quietly();
    if (child == 0) {
        loomp_region_begin("child's");
        report("child", tasks(10, "child"));
        loomp_region_end("child's");
        std::exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    loomp_region_end("parent's");
    report("status", WEXITSTATUS(status));
    return report("parent", tasks(10, "parent"));
}

int keeps_errno() {
    int changed = 0;
    for (int i = 0; i < 100; ++i) {
        errno = ENOTSUP;
        loomp_task_label(std::to_string(i).c_str());
        changed += errno != ENOTSUP;
        errno = ENOTSUP;
        loomp_region_begin(std::to_string(i).c_str());
        loomp_region_end(nullptr);
        changed += errno != ENOTSUP;
    }
    return report("changed", changed);
}

#ifdef LINKED
int has_a_library() { return report("library", ran_early()); }
#endif

const std::map<std::string, std::function<int()>> modes = {
    {"at_exit", at_exit},
    {"is_cancelled", is_cancelled},
    {"quick_exits", quick_exits},
    {"exits_at_once", exits_at_once},
    {"exits_in_a_task", exits_in_a_task},
    {"aborts", aborts},
    {"threads_outlive_main", threads_outlive_main},
    {"main_ends_first", main_ends_first},
    {"threads_end", threads_end},
    {"has_a_small_stack", has_a_small_stack},
    {"closes_libraries", closes_libraries},
    {"forks", forks},
    {"executes", executes},
    {"throws", throws},
    {"jumps", jumps},
    {"gets_signals", gets_signals},
    {"jumps_from_handlers", jumps_from_handlers},
    {"closes_descriptors", closes_descriptors},
    {"changes_its_folder", changes_its_folder},
    {"limits_its_files", limits_its_files},
    {"closes_stderr", closes_stderr},
    {"uses_up_descriptors", uses_up_descriptors},
    {"threads_come_and_go", threads_come_and_go},
    {"forks_quietly", forks_quietly},
    {"forks_quietly_at_first", forks_quietly_at_first},
    {"keeps_errno", keeps_errno},
#ifdef LINKED
    {"has_a_library", has_a_library},
#endif
};

} // namespace

int main(int argc, char **argv) {
    const std::string path = argv[0];
    folder = path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/'));
    if (argc == 1)
        for (const auto &[name, mode] : modes)
            std::printf("%s\n", name.c_str());
    const auto mode = modes.find(argc == 2 ? argv[1] : "");
    return mode == modes.end() ? 2 : mode->second();
}

#endif
