#include "mpi/waiting/call_text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "platform/source_lines.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

void Text::add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text_ + length_, sizeof(text_) - length_, format, arguments);
    va_end(arguments);
    length_ = std::min(length_ + static_cast<std::size_t>(std::max(length, 0)), sizeof(text_) - 1);
}

void Text::write() const { std::fwrite(text_, 1, length_, stderr); }

namespace {

void add_number(Text &text, const char *what, int number, int any) {
    if (number == any)
        text.add(", any %s", what);
    else
        text.add(", %s %d", what, number);
}

/// One thread at a time may use libdw's data.
SystemMutex one_at_a_time;

void add_place_of(Text &text, const char *address) {
    const std::lock_guard<SystemMutex> lock(one_at_a_time);
    static const text::OwnCode code;
    text.add("%s", text::place_of(code, address).c_str());
}

} // namespace

std::string name_of(MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    int size = 0;
    PMPI_Comm_get_name(comm, name, &length);
    PMPI_Comm_size(comm, &size);
    return name[0] != '\0' ? std::string(name)
                           : "a communicator of " + std::to_string(size) + " without a name";
}

void add_call(Text &text, const Call &call) {
    text.add("%s", call.name);
    if (call.peer != Call::kUnknown)
        add_number(text, "rank", call.peer, MPI_ANY_SOURCE);
    if (call.tag != Call::kUnknown)
        add_number(text, "tag", call.tag, MPI_ANY_TAG);
    if (call.comm != MPI_COMM_NULL)
        text.add(", %s", name_of(call.comm).c_str());
}

void add_place(Text &text, const Call &call) {
    // The address of the call itself, not of the next instruction.
    if (call.from != nullptr)
        add_place_of(text, static_cast<const char *>(call.from) - 1);
}

} // namespace loomp::mpi
