// The program loomp-commands, which has all commands; main.cpp starts it.
#include "cli/commands.h"

int main(int argc, char **argv) {
    using namespace loomp::cli;
    constexpr Listed commands[] = {
        kListedRun,
        {&kTrace, "loomp trace -o first ./app"},
        {&kCheck, "loomp check ./app"},
        {&kReport, "loomp report first --threads"},
        {&kCompare, "loomp compare first second"},
        {&kLint, "loomp lint first"},
        {&kSimulate, "loomp simulate first --threads 64"},
        {&kExport, "loomp export first -o first.json"},
        {&kView, "loomp view first -o first.html"},
        {&kInfo, "loomp info --verbose"},
        {&kPython, "loomp python script.py\nPython's own help: loomp python -h"},
        {&kStuck, "loomp stuck -p 1234"},
        {&kGdb, "loomp gdb -p 1234\ngdb's own help: loomp gdb -h"},
    };
    return run_command_line(commands, argc, argv);
}
