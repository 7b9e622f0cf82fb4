// Package rewrite turns the names of specifications into text insertions in Go source
// files. Lines never move: whatever is inserted stands on a line that exists, so that
// positions in stack traces and error messages stay the user's.
//
// # What is recorded where
//
// A traced function records that it is entered and left. A tracked variable is recorded
// at each statement of its package that mentions it, the variables of one statement in
// one record: after the statement, or before it where nothing can follow (return, go,
// defer, panic) or where the statement gives something away (send), or at the start of
// each branch for what stands in the head of an if, for, switch or select.
//
// A record reads only what the statement itself has just read or written, and calls
// nothing of the user's. So a variable that is guarded by a lock in the program is also
// guarded by it when it is recorded, and two variables of one record belong together.
// Three consequences: a pointer passed to a call does not record what it points to (the
// statements of the callee do); a function's entry records parameters by value, not
// fields behind a pointer parameter; an element access b.data[i] records all of b.data,
// so a program whose goroutines share one slice by halves is recorded with torn values
// of the other half.
//
// Package variables are also found behind other names: a statement that reaches the
// field last of the same struct type through any pointer compares its address with that
// of b.last. Locations reached through an index or a call's result are not compared.
//
// # What is not recorded
//
// Functions without a body, and those marked go:nosplit or go:linkname: to name one is an
// error, a pattern that matches one gets a warning. Closures are named as the compiler does it:
// main.func1, main.func1.2, glob..func1.
package rewrite
