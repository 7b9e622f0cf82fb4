// Package gotrace reads Go execution traces, which runtime/trace, go test -trace and net/http/pprof write,
// of Go 1.11 and later.
//
//	r := gotrace.NewReader(file, "app.trace", gotrace.Options{})
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//
// Goroutines are tasks, except those of the runtime. One that is created while the trace is taken is created by an
// event of the goroutine that did it, and enters the function of its go statement; the others, and those that
// a timer has started, are initial. What a goroutine does not annotate are no events, so a program needs the
// regions, logs and tasks of runtime/trace to say what it is doing:
//
//	a goroutine is started      op go; its own first event enters its function, as main.worker
//	trace.StartRegion, End      it enters and leaves the region's name; task, if the region has one, is
//	                            a variable of the frame
//	trace.Log(_, "k", "m")      op log; variable k is "m". Without a category its name is log
//	trace.NewTask, Task.End     op task, task end; variable begun, ended
//	the goroutine ends          op end
//
// A task is an object with type and id, as in begun.type == "request". Goroutine 1 is called main, another as its
// function and its number: "main.worker 18".
//
// # Order
//
// A goroutine that was waiting comes after what the one that woke it had done by then; where that had
// itself been woken since its last event, it gets one with op unblock. The start of a task comes before its
// regions, logs and end, since its context has come from there.
//
// That is coarse in two ways, which the caveat of the trace says for every verdict. Most synchronisation is not to be
// seen, as that of a lock that is free, an atomic operation, or a channel that has room: what it orders looks
// unordered, so that global states are found in which the program cannot be. And a waking is not always the
// synchronisation that it looks like: the runtime also wakes goroutines on behalf of others.
//
// # Operations
//
// The built-in property leak can be judged. Goroutines of the program that wait when the trace ends have not finished; their names
// say why and where they wait. Those that end before have, and main and those of the standard library are not looked at. Of others
// that run then, are about to or are in a system call it is not known, as they may have done all that others wait for; nor is it
// of those that wait for the runtime, or whose function the trace does not show. With one of them the trace has no operations.
package gotrace
