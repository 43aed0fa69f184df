// Locks of the system by loomp's own names: a thread that waits for one sleeps, and runs no task
// meanwhile. A build that simulates the machine can put its own in their place. They have the
// interfaces of the standard library's classes.
#pragma once

#include <condition_variable>
#include <mutex>

namespace loomp {

using SystemMutex = std::mutex;
using RecursiveSystemMutex = std::recursive_mutex;
using ConditionVariable = std::condition_variable;

} // namespace loomp
