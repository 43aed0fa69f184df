#include "core/affinity_format.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "core/settings.h"
#include "core/spinlock.h"
#include "core/team.h"
#include "core/topology.h"
#include "core/worker.h"

namespace loomp::core {

namespace {

SpinLock format_lock; ///< guards the setting once the program may change it

/// Processors as "0-3,5".
std::string ranges(const std::vector<int> &cpus) {
    std::string text;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t end = i + 1;
        while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
        if (end - i > 1)
            text += "-" + std::to_string(cpus[end - 1]);
        i = end;
    }
    return text;
}

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

struct Field {
    char letter;
    const char *name;
    bool is_number;
};
constexpr Field fields[] = {{'t', "team_num", true},      {'T', "num_teams", true},
                            {'L', "nesting_level", true}, {'n', "thread_num", true},
                            {'N', "num_threads", true},   {'a', "ancestor_tnum", true},
                            {'H', "host", false},         {'P', "process_id", true},
                            {'i', "native_thread_id", true}, {'A', "thread_affinity", false}};

std::string value_of(char letter) {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    const Team &team = *member.team;
    switch (letter) {
    case 't':
        return std::to_string(team.contention->team_num);
    case 'T':
        return std::to_string(team.contention->num_teams);
    case 'L':
        return std::to_string(team.level);
    case 'n':
        return std::to_string(member.num);
    case 'N':
        return std::to_string(static_cast<int>(team.size));
    case 'a':
        return std::to_string(team.parent != nullptr && team.level > 0 ? team.parent->num : -1);
    case 'H':
        return host_name();
    case 'P':
        return std::to_string(getpid());
    case 'i':
        return std::to_string(syscall(SYS_gettid));
    default:
        return ranges(worker.place >= 0 ? places()[static_cast<std::size_t>(worker.place)]
                                        : available_processor_ids());
    }
}

const Field *field_at(const char *&at) {
    if (*at == '{') {
        const char *end = std::strchr(at, '}');
        if (end == nullptr)
            return nullptr;
        const std::string name(at + 1, end);
        for (const Field &field : fields)
            if (name == field.name) {
                at = end + 1;
                return &field;
            }
        return nullptr;
    }
    for (const Field &field : fields)
        if (*at == field.letter) {
            ++at;
            return &field;
        }
    return nullptr;
}

} // namespace

std::string format_affinity(const char *format) {
    const std::string own =
        format == nullptr || *format == '\0' ? affinity_format() : std::string(format);
    std::string text;
    for (const char *at = own.c_str(); *at != '\0';) {
        if (*at != '%') {
            text += *at++;
            continue;
        }
        if (*++at == '%') {
            text += *at++;
            continue;
        }
        // %[0][.][width]field
        const bool zero = *at == '0';
        at += zero;
        const bool right = *at == '.';
        at += right;
        std::size_t width = 0;
        while (std::isdigit(static_cast<unsigned char>(*at)) != 0)
            width = width * 10 + static_cast<std::size_t>(*at++ - '0');
        const Field *field = field_at(at);
        if (field == nullptr) {
            text += "undefined";
            if (*at == '{') {
                const char *end = std::strchr(at, '}');
                at = end != nullptr ? end + 1 : at + std::strlen(at);
            } else if (*at != '\0') {
                ++at;
            }
            continue;
        }
        std::string value = value_of(field->letter);
        width = std::min<std::size_t>(width, 4096);
        if (value.size() < width) {
            const std::size_t missing = width - value.size();
            if (zero && right && field->is_number)
                value.insert(value[0] == '-' ? 1 : 0, missing, '0');
            else if (right)
                value.insert(0, missing, ' ');
            else
                value.append(missing, ' ');
        }
        text += value;
    }
    return text;
}

std::string affinity_format() {
    const SpinGuard guard(format_lock);
    return settings().affinity_format;
}

void set_affinity_format(const char *format) {
    const SpinGuard guard(format_lock);
    mutable_settings().affinity_format = format;
}

void display_affinity(const char *format) {
    const std::string line = format_affinity(format) + "\n";
    (void)!write(STDERR_FILENO, line.data(), line.size());
}

void display_affinity_if_changed(Worker &worker, int place) {
    const int key = place * 2 + 1;
    if (worker.displayed_affinity == key)
        return;
    worker.displayed_affinity = key;
    display_affinity(nullptr);
}

} // namespace loomp::core
