// Takes the address of a thread-local variable in a function that calls: tests/codegen/check is to
// find it.
extern thread_local int variable;
void call(int *);

void keeps() {
    call(&variable);
    call(&variable);
}
