package gotrace

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	exptrace "golang.org/x/exp/trace"
)

// leaks checks that functions have finished.
func leaks(t *testing.T, tr santest.Trace, cut string, functions ...string) []*tlcheck.Result {
	t.Helper()
	checker := builtins.New(tr.Header,
		builtins.Config{Properties: []builtin.Property{builtin.Leak}, Named: true, MustFinish: functions})
	for _, e := range tr.Events {
		checker.Add(e)
	}
	return checker.Results(cut)
}

// site is a program of goroutines that wait, until it is left.
type site struct {
	none, left chan int
	locked     sync.Mutex
	all        sync.WaitGroup
}

func newSite() *site {
	s := &site{none: make(chan int), left: make(chan int)}
	s.locked.Lock()
	return s
}

func (s *site) send() {
	select {
	case s.none <- 1:
	case <-s.left:
	}
}

func (s *site) receive() { <-s.left }

func (s *site) lock() { s.locked.Lock(); defer s.locked.Unlock() }

func (s *site) finish() { s.all.Done() }

// leave ends what waits, and waits for that since other tests count goroutines.
func (s *site) leave() {
	close(s.left)
	s.locked.Unlock()
	settle()
}

// settle gives goroutines the time to come to where they wait or end.
func settle() { time.Sleep(20 * time.Millisecond) }

// recordSettled takes a trace of what a site does, at whose end no goroutine runs but the test's
// own, which the standard library has started.
func recordSettled(t *testing.T, before, f func(*site)) santest.Trace {
	t.Helper()
	for range 20 { // at times one of the runtime is under way
		s := newSite()
		before(s)
		settle()
		text := record(t, func() { f(s); settle() })
		s.leave()
		tr, err := read(bytes.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if tr.Header.Operations != nil {
			return tr
		}
	}
	t.Skip("goroutines of other tests run")
	return santest.Trace{}
}

// A goroutine that waits when the trace ends has not finished, whether the trace shows its
// beginning or not.
func TestLeak(t *testing.T) {
	tr := recordSettled(t, func(s *site) { go s.lock() }, func(s *site) {
		s.all.Add(3)
		for range 3 {
			go s.finish()
		}
		go s.send()
		go s.receive()
		s.all.Wait()
	})
	for function, wait := range map[string]string{"send": "select", "receive": "chan receive", "lock": "sync"} {
		results := leaks(t, tr, "", "(*site)."+function)
		if len(results) == 0 || results[0].Verdict != tlcheck.Violated {
			t.Errorf("%s: %+v", function, results)
			continue
		}
		f := results[0].Finding
		started := results[0].Names.Place(f.Parties[0].At).At
		if !strings.Contains(f.Text, " ("+wait+" at ") || !strings.Contains(f.Text, "operations_test.go:") ||
			f.How != builtin.Observed ||
			// the trace does not show where that began
			strings.Contains(started, "operations_test.go:") == (function == "lock") {
			t.Errorf("%s: %s, started at %q", function, f.Text, started)
		}
	}
	// Finished goroutines are finished, though no other is seen to wait for them, and the library's
	// own are none of the program's.
	for _, function := range []string{"(*site).finish", "tRunner", "main", "runTests", "traceStartReadCPU.func1"} {
		if results := leaks(t, tr, "", function); len(results) != 1 || results[0].Verdict != tlcheck.Holds {
			t.Errorf("%s: %+v", function, results[0])
		}
	}
}

// Of a goroutine that runs when the trace ends it is not known whether it has done what others wait
// for.
func TestRunning(t *testing.T) {
	var over atomic.Bool
	text := record(t, func() {
		go func() {
			for !over.Load() {
				runtime.Gosched()
			}
		}()
		settle()
	})
	over.Store(true)
	tr, err := read(bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if results := leaks(t, tr, "", "TestRunning.func1.1"); len(results) != 1 || results[0].Verdict != tlcheck.Unknown ||
		results[0].Covered != builtins.NoOperations {
		t.Errorf("%+v", results[0])
	}
}

// A goroutine that waits where a trace breaks off may continue.
func TestCutLeak(t *testing.T) {
	s := newSite()
	defer s.leave()
	text := record(t, func() { go s.receive(); settle() })
	for n := len(text) - 1; n > 0; n -= 1 + len(text)/50 {
		tr, err := read(bytes.NewReader(text[:n]), Options{})
		if err == nil || tr.Header == nil {
			continue
		}
		if results := leaks(t, tr, err.Error(), "(*site).receive"); len(results) != 1 ||
			results[0].Verdict != tlcheck.Unknown {
			t.Errorf("of %d bytes %d: %+v", len(text), n, results[0])
		}
	}
}

func TestIsStd(t *testing.T) {
	for _, tt := range []struct {
		root, function, file string
		want                 bool
	}{
		{"/go/src/", "net/http.(*conn).serve", "/go/src/net/http/server.go", true},
		{"/go/src/", "testing.tRunner", "/go/src/testing/testing.go", true},
		{"/go/src/", "main.main", "/go/src/main.go", false},
		{"/go/src/", "log.print", "/home/log/log.go", false},
		{"", "net/http.(*conn).serve", "net/http/server.go", true},
		{"", "shop/log.print", "shop/log/log.go", false},
		{"", "go-shop/log.print", "go-shop/log/log.go", false},
		{"", "example.com/net.dial", "example.com/net/net.go", false},
	} {
		l := files{known: true, root: tt.root}
		if got := l.isStd(exptrace.StackFrame{Func: tt.function, File: tt.file}); got != tt.want {
			t.Errorf("%s in %s: %v", tt.function, tt.file, got)
		}
	}
}
