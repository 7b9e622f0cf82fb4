// Package gotrace reads Go execution traces, which runtime/trace, go test -trace and net/http/pprof
// write, of Go 1.11 and later.
//
//	r := gotrace.NewReader(file, "app.trace", gotrace.Options{})
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//
// Goroutines are tasks, except those of the runtime. A goroutine that is created during the trace
// is created by an event of its parent, and enters the function of its go statement. The others,
// and those that a timer has started, are initial. Only annotations are events, so a program must
// describe its actions by the regions, logs and tasks of runtime/trace:
//
//	a goroutine is started      op go; its own first event enters its function, as main.worker
//	trace.StartRegion, End      it enters and leaves the region's name; task, if the region has one, is
//	                            a variable of the frame
//	trace.Log(_, "k", "m")      op log; variable k is "m". Without a category its name is log
//	trace.NewTask, Task.End     op task, task end; variable begun, ended
//	the goroutine ends          op end
//
// A task is an object with type and id, as in begun.type == "request". Goroutine 1 is called main,
// another as its function and its number: "main.worker 18".
//
// # Order
//
// A goroutine that was waiting comes after all earlier actions of the goroutine that woke it. If
// that one had itself been woken since its last event, it gets an event with op unblock. The start
// of a task comes before its regions, logs and end, since its context has come from there.
//
// This order is coarse in two ways, which the caveat of the trace says for every verdict. The trace
// does not show most synchronisation, such as that of a lock that is free, an atomic operation, or
// a channel that has room: operations look unordered that are not, and impossible global states are
// found. And a wakeup is not always the synchronisation that it looks like: the runtime also wakes
// goroutines on behalf of others.
//
// # Operations
//
// The built-in property leak can be judged. Goroutines of the program that wait when the trace ends
// have not finished; their names say why and where they wait. Those that have ended before are
// finished. main and the goroutines of the standard library are not considered. Some goroutines
// leave the question open: those that are running, runnable or in a system call at the end, since
// they may already have woken the others; those that wait for the runtime; and those whose function
// the trace does not show. With one of them the trace has no operations.
package gotrace
