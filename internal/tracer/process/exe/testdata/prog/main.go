// Prog prints return addresses and what the runtime makes of them, a line each:
//
//	stack ADDR,ADDR,ADDR main.go:LINE    where the user's code is
//	func ADDR NAME                       the function that starts there
//	at ADDR NAME                         the same, to find out where the code was loaded
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
)

type server struct{ mu sync.Mutex }

func (s *server) serve(n int) { stack(); _ = n }

func worker(a, b int) { stack(); _ = a + b }

func generic[T any](v T) { stack(); _ = v }

//go:noinline
func big(a int) { stack(); _ = a }

// stack prints the return addresses outside of itself, which is never inlined.
//
//go:noinline
func stack() {
	var pcs [3]uintptr
	n := runtime.Callers(2, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	f, _ := frames.Next()
	for i := n; i < len(pcs); i++ {
		pcs[i] = 0
	}
	fmt.Printf("stack %d,%d,%d main.go:%d\n", pcs[0], pcs[1], pcs[2], f.Line)
}

func entry(f any, name string) { fmt.Printf("func %d %s\n", reflect.ValueOf(f).Pointer(), name) }

// inlined is inlined into its caller, whose position is its own line.
func inlined(a int) { worker(a, a) }

func main() {
	fmt.Printf("at %d main.main\n", reflect.ValueOf(main).Pointer())
	var s server
	worker(1, 2)
	s.serve(1)
	inlined(2)
	generic("x")
	// Called from the standard library: the position is in the closure.
	slices.SortFunc([]int{2, 1}, func(a, b int) int {
		stack()
		return a - b
	})
	var wg sync.WaitGroup
	wg.Go(func() { big(1) })
	wg.Wait()
	entry(worker, "main.worker")
	entry((*server).serve, "main.(*server).serve")
	entry(s.serve, "main.(*server).serve")
	entry(generic[int], "main.generic")
	entry(runtime.GC, "runtime.GC")
	entry(fmt.Println, "fmt.Println")
	started()
	useOnce(new(sync.Once))
}
