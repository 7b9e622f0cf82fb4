package tltest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/tltest"
)

// exclusive says that one task at most is in write.
const exclusive = "property exclusive: not (a:(in.write) and b:(in.write)) if a != b"

// Two goroutines write under a lock. The test holds whatever the scheduler does.
func ExampleCheck() {
	var t testing.TB = printer{} // the *testing.T of a test
	r := tltest.NewRecorder()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for _, name := range []string{"web", "db"} {
		task := r.Task(name)
		wait.Go(func() {
			mu.Lock()
			task.Lock("mu")
			task.Enter("write")
			task.Exit("write")
			task.Unlock("mu")
			mu.Unlock()
		})
	}
	wait.Wait()
	tltest.Check(t, exclusive, r)
	fmt.Println("checked")
	// Output:
	// checked
}

// Nothing orders the two writes, although one was over when the other began.
func ExampleCheck_violated() {
	var t testing.TB = printer{} // the *testing.T of a test
	r := tltest.NewRecorder()
	r.Task("web").Enter("write")
	r.Task("web").Exit("write")
	r.Task("db").Enter("write")
	r.Task("db").Exit("write")
	tltest.Check(t, exclusive, r)
	// Output:
	// exclusive: violated
	//     not (a:(in.write) and b:(in.write)) if a != b
	//
	// a is web
	//     in write (just entered), at example_test.go:43
	//     in.write: true
	//
	// b is db
	//     in write (just entered), at example_test.go:45
	//     in.write: true
	//
	// It did not happen in this run: this order of the same events leads to it.
	//
	//     web                              db
	//     ───                              ──
	//     enter write  example_test.go:43
	//                                      enter write  example_test.go:45
}

// printer is a test that prints how it fails.
type printer struct{ testing.TB }

func (printer) Helper()                           {}
func (printer) Context() context.Context          { return context.Background() }
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatal(args ...any)                 { fmt.Println(args...) }
