// Package rewrite turns the names of specifications into text insertions in Go source files. Lines
// never move: every insertion is on an existing line, which keeps positions in stack traces and
// error messages.
//
// # Places of records
//
// A traced function records its entry and exit. A tracked variable is recorded at each statement of
// its package that mentions it, the variables of one statement in one record. The record comes
// after the statement; before it where nothing can follow (return, go, defer, panic) or where the
// statement hands a value on (send); or at the start of each branch for the head of an if, for,
// switch or select.
//
// A record reads only what the statement itself has just read or written, and calls no code of the
// user. So a variable that is guarded by a lock in the program is also guarded by it when it is
// recorded, and two variables of one record belong together. Three consequences. A pointer passed
// to a call does not record the value that it points to (the statements of the callee do). A
// function's entry records parameters by value, not fields behind a pointer parameter. An element
// access b.data[i] records all of b.data, so a program whose goroutines share one slice by halves
// is recorded with torn values of the other half.
//
// Package variables are also found behind other names: a statement that reaches the field last of
// the same struct type through any pointer compares its address with that of b.last. Locations
// reached through an index or a call's result are not compared.
//
// # Limits
//
// Functions without a body, and those marked go:nosplit or go:linkname, are not recorded: naming
// one is an error, a pattern that matches one gets a warning. Closures are named as the compiler
// does it: main.func1, main.func1.2, glob..func1.
package rewrite
