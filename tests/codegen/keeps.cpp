// Takes the address of a thread-local variable in a function that calls others: tests/codegen/check
// must find it.
extern thread_local int variable;
void call(int *);

void keeps() {
    call(&variable);
    call(&variable);
}
