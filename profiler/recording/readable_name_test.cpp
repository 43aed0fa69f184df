// Names of functions, from their symbols.
#include <gtest/gtest.h>

#include "profiler/recording/readable_name.h"

namespace loomp::analysis {
namespace {

TEST(ReadableName, OfCIsItself) {
    EXPECT_EQ(readable_name("main"), "main");
    EXPECT_EQ(readable_name("main._omp_fn.0"), "main._omp_fn.0");
}

TEST(ReadableName, HasNoParametersAndNothingOfTheCompiler) {
    EXPECT_EQ(readable_name("_ZN6solver4stepEi.omp_outlined"), "solver::step");
    EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_16hiddenEPi"), "hidden");
    EXPECT_EQ(readable_name("_ZNK1A4sizeEv"), "A::size"); // const
    EXPECT_EQ(readable_name("_Z5applyPFvdE"), "apply");   // apply(void (*)(double))
}

TEST(ReadableName, IsWholeOfLambdas) {
    EXPECT_EQ(readable_name("_ZZ4mainENKUliE_clEi"), "main::{lambda(int)#1}::operator()");
    EXPECT_EQ(readable_name("_ZZ4mainENKUliE_clEi._omp_fn.2"), "main::{lambda(int)#1}::operator()");
    // solve(double*, int)::{lambda()#2}::operator()() const
    EXPECT_EQ(readable_name("_ZZ5solvePdiENKUlvE0_clEv"), "solve::{lambda()#2}::operator()");
}

TEST(ReadableName, IsWholeOfTemplatesWithoutTheirType) {
    // void solver::Grid<double>::each<main::{lambda(double&)#1}>(main::{lambda(double&)#1})
    EXPECT_EQ(readable_name("_ZN6solver4GridIdE4eachIZ4mainEUlRdE_EEvT_"),
              "solver::Grid<double>::each<main::{lambda(double&)#1}>");
}

TEST(ReadableName, KnowsOperators) {
    EXPECT_EQ(readable_name("_ZN4GridclEi"), "Grid::operator()");
    EXPECT_EQ(readable_name("_ZlsRSoRK4Grid"), "operator<<");
    EXPECT_EQ(readable_name("_ZN4GridltERKS_"), "Grid::operator<");
    EXPECT_EQ(readable_name("_ZNK4GridcviEv"), "Grid::operator int");
    EXPECT_EQ(readable_name("_ZN4GridnwEm"), "Grid::operator new");
    EXPECT_EQ(readable_name("_ZN4GridptEv"), "Grid::operator->");
    // void operator<< <int>(int&, Grid), void Grid::operator()<int>(int)
    EXPECT_EQ(readable_name("_ZlsIiEvRT_4Grid"), "operator<<<int>");
    EXPECT_EQ(readable_name("_ZN4GridclIiEEvT_"), "Grid::operator()<int>");
}

} // namespace
} // namespace loomp::analysis
