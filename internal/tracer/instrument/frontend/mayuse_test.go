package frontend

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMayUse(t *testing.T) {
	everything := slices.Concat(anything, particular)
	atChannels := []string{Channels, ChannelWaits}
	with := func(more ...string) []string { return slices.Concat(anything, more) }
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"nothing", `func f() { go f() }`, nil},
		{"harmless", `import ("fmt"; "time"; "os"); func f() { _ = fmt.Errorf(""); time.Sleep(time.Second); os.Exit(len(os.Args)) }`, nil},
		{"maps and slices", `func f() { _ = make(map[int]int); _ = make([]int, 0) }`, nil},
		{"another module", `import "net.example/http"; func f() { http.Get() }`, nil},
		{"print", `import "fmt"; func f() { fmt.Println() }`, []string{Pools}},
		{"scan", `import "fmt"; func f() { fmt.Scanln() }`, []string{Pools, Descriptors, InnerOrder}},

		{"mutex", `import "sync"; var mu sync.Mutex`, []string{Mutexes}},
		{"rwmutex", `import "sync"; var mu sync.RWMutex`, []string{Mutexes, RWMutexes}},
		{"locker", `import "sync"; func f(l sync.Locker) { l.Lock() }`, []string{Mutexes, RWMutexes}},
		{"waitgroup", `import "sync"; var wg sync.WaitGroup`, []string{WaitGroups}},
		{"once", `import "sync"; var once sync.Once`, []string{Onces}},
		{"once value", `import "sync"; var v = sync.OnceValue(f)`, []string{Onces}},
		{"pool", `import "sync"; var p sync.Pool`, []string{Pools}},
		{"renamed", `import s "sync"; var c = s.NewCond(nil)`, []string{Conditions}},
		{"dot", `import . "sync"; var mu Mutex`,
			[]string{Atomics, Mutexes, RWMutexes, WaitGroups, Onces, Conditions, Pools}},
		{"map", `import "sync"; var m sync.Map`, []string{Atomics, Mutexes, Onces}},
		{"atomics", `import "sync/atomic"; func f(n *int32) { atomic.AddInt32(n, 1) }`, []string{Atomics}},
		{"replacer", `import "strings"; var r = strings.NewReplacer()`, []string{Atomics, Onces}},
		{"after func", `import "time"; func f() { time.AfterFunc(0, f) }`, []string{Timers}},

		{"send", `func f(c chan<- int) { c <- 1 }`, atChannels},
		{"receive", `func f() { <-c }`, atChannels},
		{"select", `func f() { select {} }`, atChannels},
		{"buffered", `func f() { _ = make(chan int, 1) }`, atChannels},
		{"unbuffered", `var c = make(chan int)`, append([]string{JointTransfers}, atChannels...)},
		{"size 0", `var c = make(chan int, 0x0)`, append([]string{JointTransfers}, atChannels...)},
		{"size unknown", `func f(n int) { _ = make(chan int, n) }`, append([]string{JointTransfers}, atChannels...)},
		{"type unknown", `type C chan int; var c = make(C)`, append([]string{JointTransfers}, atChannels...)},

		{"iterator", `import "iter"; func f(s iter.Seq[int]) { iter.Pull(s) }`, []string{Coroutines}},
		{"timer", `import "time"; var c = time.After(1)`, anything},
		{"file", `import "os"; func f() { os.Stdin.Close() }`, anything},
		{"unknown package", `import _ "net/http"`, anything},
		{"cleanup", `import "runtime"; func f(p *int) { runtime.AddCleanup(p, g, 1) }`, with()},
		{"finalizer", `import "runtime"; func f(p *int) { runtime.SetFinalizer(p, nil) }`, with()},
		{"signal", `import "os/signal"; func f() { signal.Ignore() }`, with(Signals)},
		{"bubble", `import "testing/synctest"; func f() { synctest.Wait() }`, with(Bubbles)},
		{"cgo", `import "C"`, with(Threads)},
		{"assembly", `func f()`, everything},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p; "+tt.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			standard := func(path string) bool { return path != "net.example/http" }
			got := MayUse(file, everything, standard)
			slices.Sort(got)
			if d := cmp.Diff(slices.Sorted(slices.Values(tt.want)), got,
				cmp.Transformer("empty", func(s []string) []string { return append([]string{""}, s...) })); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if got := MayUse(file, []string{"more"}, standard); len(got) != 1 {
				t.Errorf("a kind that nobody knows is not used")
			}
		})
	}
}

// Every capability in the table is optional for a program.
func TestStandardUse(t *testing.T) {
	if both := slices.Concat(anything,
		particular); len(slices.Compact(slices.Sorted(slices.Values(both)))) != len(both) {
		t.Errorf("a name is there twice: %q", both)
	}
	for path, uses := range standardUse {
		if _, ok := uses["*"]; !ok {
			t.Errorf("%s: nothing is said of other names", path)
		}
		for name, used := range uses {
			for _, c := range used {
				if !isOptional(c) {
					t.Errorf("%s.%s uses %q, which is no capability", path, name, c)
				}
			}
		}
	}
}
