/* A module whose function returns the size of a team. */
int threads(void);
int threads(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    return n;
}
