#include "runtime/core/environment/settings.h"

#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <unistd.h>

#include "platform/diagnostics.h"
#include "runtime/core/environment/hardware_subset.h"
#include "runtime/core/environment/priority_preset.h"
#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/environment/settings_table.h"
#include "runtime/core/environment/settings_text.h"
#include "runtime/core/environment/unknown_settings.h"

namespace loomp::core {

namespace {

/// The origin of a value. `name` is the variable, except for the first and the last kind.
struct Origin {
    enum Kind { by_default, environment, implied, program } kind = by_default;
    std::string name;
};

constexpr std::size_t kMaxRows = 64;

struct State {
    Settings settings;
    std::array<Origin, kMaxRows> origins; ///< indexed by row
};
/// Never destroyed at exit, because threads read it until the process ends.
State *state = nullptr;
/// Whether `state` is complete.
Atomic<bool> is_read{false};
Atomic<bool> start_has_begun{false};

std::size_t row_of(const char *name) {
    const std::span<const Setting> rows = setting_rows();
    std::size_t row = 0;
    while (row < rows.size() && std::strcmp(rows[row].name, name) != 0)
        ++row;
    return row;
}

Origin &origin_of(const char *name) { return state->origins[row_of(name)]; }
bool is_set(const char *name) { return origin_of(name).kind == Origin::environment; }

/// Returns the value of a variable; null if it is not set.
const char *find_variable(const char *const *environment, const std::string &name) {
    for (; *environment != nullptr; ++environment)
        if (std::strncmp(*environment, name.c_str(), name.size()) == 0 &&
            (*environment)[name.size()] == '=')
            return *environment + name.size() + 1;
    return nullptr;
}

/// Returns the text, cut if it is too long for a line with other text.
std::string shown(std::string text) {
    constexpr std::size_t kLongest = 160;
    if (text.size() > kLongest)
        text = text.substr(0, kLongest) + "...";
    return text;
}

/// A problem with a value. The final value is known after all settings have been read.
struct Complaint {
    std::string variable;
    std::string raw;
    std::string why;
    bool used; ///< the value is used despite the problem, as far as possible
    const Setting *setting;
};
using Complaints = std::vector<Complaint>;

void say(const Complaint &complaint, const Settings &settings) {
    std::string instead = complaint.setting->show(settings);
    if (instead.empty())
        instead = "none";
    if (!complaint.used && complaint.setting->default_note != nullptr)
        instead += std::string(" (") + complaint.setting->default_note + ")";
    warn_as(complaint_beginning(settings), "%s=%s: %s; using %s", complaint.variable.c_str(),
            shown(complaint.raw).c_str(), shown(complaint.why).c_str(), shown(instead).c_str());
}

/// Reads `raw` into `settings`; adds a complaint if the value has a problem.
bool read_value(Settings &settings, const std::string &variable, const char *raw,
                ParseSetting parse, const char *expected, const Setting &setting,
                Complaints &complaints) {
    std::string why;
    const bool ok = parse(settings, setting.keeps_blanks ? raw : trimmed(raw), why);
    if (ok && why.empty())
        return true;
    if (why.empty())
        why = std::string("not ") + expected;
    complaints.push_back({variable, raw, why, ok, &setting});
    return ok;
}

void read_own(Settings &s, const char *const *environment, Complaints &complaints) {
    for (const Setting &setting : setting_rows()) {
        std::string variable = setting.name;
        const char *raw = find_variable(environment, variable);
        if (raw == nullptr && setting.per_device) {
            variable += "_ALL";
            raw = find_variable(environment, variable);
        }
        if (raw != nullptr &&
            read_value(s, variable, raw, setting.parse, setting.expected, setting, complaints))
            origin_of(setting.name) = {Origin::environment, variable};
    }
}

/// Returns whether a standard variable or one of ours overrides `foreign`.
bool is_decided(const ForeignSetting &foreign) {
    const bool is_spin = std::strcmp(foreign.stands_for, "LOOMP_SPIN") == 0;
    return is_set(foreign.stands_for) || (is_spin && is_set("OMP_WAIT_POLICY") &&
                                          origin_of("OMP_WAIT_POLICY").name == "OMP_WAIT_POLICY");
}

void read_foreign(Settings &s, const char *const *environment, Complaints &complaints) {
    for (const ForeignSetting &foreign : foreign_rows()) {
        const char *raw = find_variable(environment, foreign.name);
        const Setting &setting = setting_rows()[row_of(foreign.stands_for)];
        if (raw == nullptr || is_decided(foreign) ||
            !read_value(s, foreign.name, raw, foreign.parse, foreign.expected, setting, complaints))
            continue;
        origin_of(foreign.stands_for) = {Origin::environment, foreign.name};
    }
}

/// Runs before any code depends on the available processors; complaints come when the settings are
/// read.
void narrow_processors(const char *const *environment) {
    hardware_subset_in_force().clear();
    for (const char *name : {"LOOMP_HW_SUBSET", "KMP_HW_SUBSET"}) {
        const char *raw = find_variable(environment, name);
        Settings scratch;
        std::string unused;
        if (raw != nullptr && parse_hw_subset(scratch, trimmed(raw), unused))
            return;
    }
}

void derive_spin(Settings &s) {
    switch (s.wait_policy) {
    case WaitPolicy::active:
        s.spin_count = 1'000'000'000;
        s.spin_count_oversubscribed = 1000;
        break;
    case WaitPolicy::passive:
        s.spin_count = s.spin_count_oversubscribed = 0;
        break;
    case WaitPolicy::unset:
        s.spin_count = 100'000;
        s.spin_count_oversubscribed = kMostLooksWithoutRoom;
        break;
    }
}

/// Takes the settings that the user has not given from the preset.
void derive_priorities(Settings &s) {
    const PriorityChoices chosen = choices_of(s.priority_preset);
    const auto decide = [](const char *name, auto &setting, auto value) {
        if (is_set(name))
            return;
        setting = value;
        origin_of(name) = {Origin::implied, "LOOMP_PRIORITY_PRESET"};
    };
    decide("LOOMP_PRIORITY_VALUE", s.priority_value, chosen.value);
    decide("LOOMP_PRIORITY_PROPAGATION", s.priority_propagation, chosen.propagation);
    decide("LOOMP_PRIORITY_PROPAGATED_AT", s.priority_when, chosen.when);
    decide("OMP_MAX_TASK_PRIORITY", s.max_task_priority, std::numeric_limits<int>::max());
}

/// Derives settings that are not given from other ones.
void derive(Settings &s) {
    // gcc's programs have only the host as a device here (OpenMP 5.2, 2.1: default-device-var).
    if (s.interface == ProgramInterface::gnu && s.target_offload == TargetOffload::mandatory &&
        !is_given("OMP_DEFAULT_DEVICE"))
        s.default_device = kInvalidDevice;
    // A list requests nesting (OpenMP 5.2, 21.1.2 and 21.1.7).
    if (!s.max_active_levels_given && (s.num_threads.size() > 1 || s.proc_bind.size() > 1)) {
        s.max_active_levels = INT_MAX;
        origin_of("OMP_MAX_ACTIVE_LEVELS") = {
            Origin::implied, s.num_threads.size() > 1 ? "OMP_NUM_THREADS" : "OMP_PROC_BIND"};
    }
    const Origin &bind = origin_of("OMP_PROC_BIND");
    Origin &places = origin_of("OMP_PLACES");
    // Places without a policy request binding.
    if (s.proc_bind.empty() && !s.place_list.empty()) {
        s.proc_bind = {ProcBind::true_};
        origin_of("OMP_PROC_BIND") = {Origin::implied, places.name};
    } else if (!s.place_list.empty() && places.kind == Origin::by_default) {
        places = {Origin::implied, bind.name};
    }
    if (s.priority_preset != PriorityPreset::none)
        derive_priorities(s);
    if (!is_set("LOOMP_SPIN")) {
        derive_spin(s);
        if (is_set("OMP_WAIT_POLICY"))
            origin_of("LOOMP_SPIN") = {Origin::implied, "OMP_WAIT_POLICY"};
    }
    if (s.max_active_levels_given && !is_set("OMP_MAX_ACTIVE_LEVELS"))
        origin_of("OMP_MAX_ACTIVE_LEVELS") = {Origin::implied, "OMP_NESTED"};
}

std::string describe_origin(const Setting &setting, const Origin &origin) {
    switch (origin.kind) {
    case Origin::by_default:
        return "default";
    case Origin::environment:
        return origin.name == setting.name ? "environment" : "environment: " + origin.name;
    case Origin::implied:
        return "implied by " + origin.name;
    case Origin::program:
        return "program";
    }
    return "";
}

} // namespace

bool is_given(const char *name) { return origin_of(name).kind != Origin::by_default; }

const Settings &settings() { return mutable_settings(); }
const TeamSettings &team_settings() { return mutable_settings(); }
const TaskSettings &task_settings() { return mutable_settings(); }
const MemorySettings &memory_settings() { return mutable_settings(); }
const WaitingSettings &waiting_settings() { return mutable_settings(); }
const DeviceSettings &device_settings() { return mutable_settings(); }
Settings &mutable_settings() {
    // acquire: pairs with the release in load_settings(), so that this thread sees the values.
    if (LOOMP_UNLIKELY(!is_read.load(std::memory_order_acquire)))
        read_settings();
    return state->settings;
}

bool settings_are_known() {
    // acquire: as in mutable_settings().
    if (LOOMP_LIKELY(is_read.load(std::memory_order_acquire)))
        return true;
    if (start_has_begun.load(std::memory_order_relaxed))
        return false;
    read_settings();
    return is_read.load(std::memory_order_acquire);
}

void note_start() { start_has_begun.store(true, std::memory_order_relaxed); }

void load_settings(const char *const *environment, ProgramInterface interface) {
    delete state;
    state = new State;
    Settings &s = state->settings;
    s.interface = interface;
    if (environment == nullptr)
        environment = environ;
    // Copies the pointers, because a query of the machine may change the environment meanwhile
    // (topology_hwloc.cpp). There is no environment after clearenv().
    std::vector<const char *> variables;
    for (; environment != nullptr && *environment != nullptr; ++environment)
        variables.push_back(*environment);
    variables.push_back(nullptr);
    environment = variables.data();
    narrow_processors(environment);
    set_defaults(s);
    Complaints complaints;
    read_own(s, environment, complaints);
    read_foreign(s, environment, complaints);
    derive(s);
    for (const Complaint &complaint : complaints)
        say(complaint, s);
    check_without_effect(s, environment);
    tell_unknown_settings(environment, s.verbose);
    is_read.store(true, std::memory_order_release);
}

namespace {

void adopt_late(const char *assignment) {
    static constexpr const char *kLate[] = {"OMP_TARGET_OFFLOAD", "OMP_NUM_TEAMS",
                                            "OMP_TEAMS_THREAD_LIMIT"};
    const char *const one[] = {assignment, nullptr};
    Settings &s = mutable_settings();
    for (const char *name : kLate) {
        const char *value = find_variable(one, name);
        Complaints complaints;
        const Setting &setting = setting_rows()[row_of(name)];
        if (value == nullptr)
            continue;
        if (read_value(s, name, value, setting.parse, setting.expected, setting, complaints))
            note_set_by_program(name);
        for (const Complaint &complaint : complaints)
            say(complaint, s);
    }
}

} // namespace

void adopt_settings(const std::string &assignments) {
    for (const std::string &assignment : split(assignments, '|')) {
        const std::size_t equals = assignment.find('=');
        if (is_read.load(std::memory_order_acquire))
            adopt_late(assignment.c_str());
        else if (equals != std::string::npos && equals > 0)
            setenv(assignment.substr(0, equals).c_str(), assignment.c_str() + equals + 1, 1);
    }
}

void note_set_by_program(const char *name) { origin_of(name) = {Origin::program, ""}; }

std::vector<SettingView> describe_settings() {
    std::vector<SettingView> views;
    for (const Setting &setting : setting_rows())
        views.push_back({setting.name, setting.show(state->settings),
                         describe_origin(setting, origin_of(setting.name)), setting.expected,
                         setting.doc, std::strncmp(setting.name, "OMP_", 4) == 0});
    return views;
}

} // namespace loomp::core
