// A process of this program that runs with settings of its own.
#pragma once

#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <vector>

#include "settings.h"

extern char **environ;

namespace process {

/// The exit status of a process, and its output on stderr.
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
inline End run(const settings::Chosen &chosen, std::vector<std::string> arguments, double limit) {
    const int output = memfd_create("output", 0);
    const pid_t child = fork();
    if (child == 0) {
        putenv(const_cast<char *>("OMP_AFFINITY_FORMAT=affinity: %n of %N on %A"));
        for (const std::string &setting : chosen)
            putenv(const_cast<char *>(setting.c_str()));
        std::vector<char *> argv = {const_cast<char *>(program_name)};
        for (std::string &argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        // Programs on libomp's interface print their threads' affinity there: nobody reads it.
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
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

} // namespace process
