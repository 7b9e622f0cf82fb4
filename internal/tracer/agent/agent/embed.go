// Package agent holds the source of the package that rewritten code calls. It is compiled into
// traced programs as antichain/agent, which an overlay puts into GOROOT: every package can import
// it whatever its module, and no file of the user changes. The files with the constraint
// antichain_traced are never part of this package; they are text, and import nothing but the
// standard library.
//
// Rules for that text: it calls no method of the program's types; it takes no lock,
// except for the numbers of pointers in operations, and starts no goroutine but the operator, which
// a checker talks to; with tracing off a site costs a load and a
// branch; scalars are recorded without allocation. Whatever a value holds, recording it takes
// bounded time and memory, and a fault while reading it is not the program's.
package agent

import "embed"

// Sources are the files of package antichain/agent. A build adds the constants of the
// record layout with the prefix "ring", and a file that declares the variable table.
//
//go:embed agent.go atomic.go constant.go encode.go hooks.go message.go operation.go operator.go
//go:embed record.go variable.go
var Sources embed.FS

// Constraint is the build constraint line that the sources carry here and must not
// carry in the overlay.
const Constraint = "//go:build antichain_traced\n"
