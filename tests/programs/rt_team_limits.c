/* Settings that limit the threads of regions and of teams, under the names that libomp has for
   them; and LOOMP_TEAMS_BIND, where teams go.

   flags: -D_GNU_SOURCE
   env: OMP_DYNAMIC=false
   threads: 5 */
#include <dlfcn.h>

#include "again_with.h"
#include "omp_decls.h"

int omp_get_teams_thread_limit(void);
int omp_get_num_places(void);

enum { kTeams = 2 };

/* "2 3 4 3": threads of a region that asks for 6, the limit that routines report, those of a team's
   region that asks for 6, and its limit. */
static void see_threads(const char *expected) {
    int of_region = 0, of_team[kTeams] = {0};
#pragma omp parallel num_threads(6)
#pragma omp single
    of_region = omp_get_num_threads();
    const int limit = omp_get_thread_limit(), teams_limit = omp_get_teams_thread_limit();
#pragma omp teams num_teams(kTeams)
    {
        int threads = 0;
#pragma omp parallel num_threads(6)
#pragma omp single
        threads = omp_get_num_threads();
        of_team[omp_get_team_num()] = threads;
    }
    CHECK_EQ(of_team[0], of_team[1]);
    char seen[60];
    snprintf(seen, sizeof seen, "%d %d %d %d", of_region, limit > 1000 ? 0 : limit, of_team[0],
             teams_limit);
    if (strcmp(seen, expected) != 0) {
        fprintf(stderr, "%s\n", seen);
        _exit(1);
    }
}

/* "places 0 1": where the initial threads of teams are bound. */
static void see_places(const char *expected) {
    char seen[60] = "places";
    if (omp_get_num_places() < 2)
        return;
    // gcc refuses most routines where only a teams region is around them.
    int (*const place_num)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "omp_get_place_num");
    CHECK(place_num != NULL);
    int place[kTeams];
#pragma omp teams num_teams(kTeams)
    place[omp_get_team_num()] = place_num();
    for (int i = 0; i < kTeams; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), " %d", place[i]);
    if (strcmp(seen, expected) != 0) {
        fprintf(stderr, "%s\n", seen);
        _exit(1);
    }
}

int main(int count, char **arguments) {
    if (count > 1) {
        (arguments[1][0] == 'p' ? see_places : see_threads)(arguments[1]);
        return 0;
    }
    run_again_with("", "6 0 6 0");
    run_again_with("KMP_ALL_THREADS=3", "3 3 3 0");
    run_again_with("KMP_MAX_THREADS=3", "3 3 3 0");
    run_again_with("KMP_DEVICE_THREAD_LIMIT=3", "3 3 3 0");
    // The standard's name comes first.
    run_again_with("KMP_ALL_THREADS=3 KMP_MAX_THREADS=2 OMP_THREAD_LIMIT=4", "4 4 4 0");
    // A team's limit is its own.
    run_again_with("KMP_TEAMS_THREAD_LIMIT=2", "6 0 2 2");
    run_again_with("KMP_TEAMS_THREAD_LIMIT=2 OMP_TEAMS_THREAD_LIMIT=4", "6 0 4 4");
    run_again_with("KMP_TEAMS_THREAD_LIMIT=4 KMP_ALL_THREADS=3", "3 3 3 4");

    run_again_with("OMP_PLACES=threads(2) OMP_PROC_BIND=close", "places 0 1");
    run_again_with("OMP_PLACES=threads(2) OMP_PROC_BIND=close LOOMP_TEAMS_BIND=primary",
                   "places 0 0");
    run_again_with("OMP_PLACES=threads(2) OMP_PROC_BIND=close LOOMP_TEAMS_BIND=spread",
                   "places 0 1");
    run_again_with("OMP_PLACES=threads(2) OMP_PROC_BIND=close KMP_TEAMS_PROC_BIND=primary",
                   "places 0 0");
    return 0;
}
