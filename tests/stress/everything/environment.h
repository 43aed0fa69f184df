// Random settings, and a process that runs with them.
#pragma once

#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <vector>

#include "../support.h"

extern char **environ;

namespace environment {

using Settings = std::vector<std::string>;

inline Settings choose(Random random) {
    Settings settings = {"OMP_CANCELLATION=true", "OMP_MAX_ACTIVE_LEVELS=3"};
    const auto one_of = [&](const char *name, std::initializer_list<const char *> values) {
        const char *value = values.begin()[random.below(static_cast<int>(values.size()))];
        if (*value != 0)
            settings.push_back(std::string(name) + "=" + value);
    };
    one_of("OMP_NUM_THREADS", {"1", "2", "2", "3", "4", "8"});
    one_of("OMP_THREAD_LIMIT", {"", "4", "12", "24", "24"});
    one_of("LOOMP_MAX_STACKS", {"", "", "", "1", "2", "5", "40"});
    one_of("LOOMP_TASK_ORDER", {"", "", "fifo"});
    one_of("LOOMP_SPIN", {"", "", "0", "50us"});
    one_of("LOOMP_TASK_MEMORY", {"", "", "", "1M", "64K"});
    one_of("LOOMP_MAX_TASKS", {"", "", "", "2", "10", "100"});
    one_of("LOOMP_PRODUCERS_FIRST", {"", "", "true"});
    one_of("OMP_MAX_TASK_PRIORITY", {"", "10", "10", "100"});
    one_of("LOOMP_PRIORITY_PROPAGATION", {"", "", "equal", "decrement"});
    one_of("LOOMP_PRIORITY_PROPAGATED_AT", {"", "", "idle"});
    one_of("LOOMP_PRIORITY_VALUE", {"", "", "max"});
    one_of("LOOMP_NEW_TASKS_SHARED_BY", {"", "", "core", "machine"});
    one_of("LOOMP_PERSISTENT", {"", "", "auto"});
    one_of("OMP_WAIT_POLICY", {"", "", "active", "passive"});
    one_of("OMP_STACKSIZE", {"", "", "512K"});
    one_of("OMP_PROC_BIND", {"", "", "", "close"});
    return settings;
}

/// What it printed, and how it ended.
struct End {
    int status;
    std::string output;
};

inline std::string read_all(int file) {
    std::string text;
    char part[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = read(file, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(n));
    return text;
}

/// This program again, with the settings and these arguments, for so many seconds at most.
inline End run(const Settings &settings, std::vector<std::string> arguments, double limit) {
    const int output = memfd_create("output", 0);
    const pid_t child = fork();
    if (child == 0) {
        for (const std::string &setting : settings)
            putenv(const_cast<char *>(setting.c_str()));
        std::vector<char *> argv = {const_cast<char *>(program_name)};
        for (std::string &argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        dup2(output, STDERR_FILENO);
        execv("/proc/self/exe", argv.data());
        _exit(127);
    }
    const double end = now() + limit;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (now() > end) {
            kill(child, SIGABRT);
            waitpid(child, &status, 0);
            break;
        }
        usleep(2000);
    }
    End result{status, read_all(output)};
    close(output);
    return result;
}

} // namespace environment
