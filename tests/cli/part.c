/* A library of gcc's with a region of its own. */
int gcc_part(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += 1;
    return sum;
}
