/* A tool gets a dependence set's locations like a depend clause's, together with those of the
   clause.
   flags: -rdynamic -Wno-uninitialized */
#define LOOMP_WEAK
#include "ompt_tool.h"

#include <omp.h>

#include "loomp/loomp.h"

static char in_set[2];
static int in_clause, ran;

static void create(const loomp_dependences_t *set, int deferred) {
    loomp_next_task_depends(set);
#pragma omp task if (deferred)
    ran++;
#pragma omp taskwait
    loomp_next_task_depends(set);
#pragma omp task depend(in : in_clause)
    ran++;
#pragma omp taskwait
}

int main(void) {
    loomp_dependences_t *set = loomp_dependences_create();
    loomp_dependences_add(set, LOOMP_DEPEND_INOUTSET, &in_set[0]);
    loomp_dependences_add(set, LOOMP_DEPEND_OUT, &in_set[1]);
    loomp_dependences_add(set, LOOMP_DEPEND_IN, &in_set[0]);
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
        create(set, 1);
        create(set, 0);
    }
    loomp_dependences_free(set);
    CHECK(ran == 4);
    return 0;
}

static void check_events(void) {
    int created = -1;
    for (int i = 0; i < 4; ++i) {
        created = find(created + 1, ompt_callback_task_create, -1, -1, -1);
        CHECK(created >= 0 && events[created].value == 1);
        const int told =
            find(created, ompt_callback_dependences, -1, -1, (long long)events[created].other);
        CHECK(told > created);
        const event_t *e = &events[told];
        CHECK(e->value == (i % 2 == 0 ? 2 : 3));
        CHECK(e->codeptr == (i % 2 == 0 ? (void *)in_set : (void *)&in_clause));
        CHECK(e->kind == (i % 2 == 0 ? ompt_dependence_type_inout : ompt_dependence_type_in));
    }
}
