//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// distributed are the kernels of this Go and what is expected of them.
func distributed(t *testing.T) (string, map[string]*expectation) {
	t.Helper()
	goroot, err := output(t.Context(), "go", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := kernel.Load(kernel.Dir(goroot))
	if err != nil {
		t.Skip(err)
	}
	leaks, err := kernel.Leaks(goroot)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := expectations(expectedText, kernels, leaks)
	if err != nil {
		t.Fatal(err)
	}
	return goroot, expected
}

// TestExpectedLeaks compares expected.txt with what the runtime's test expects: whoever must be
// named is a goroutine that it knows, and waits for the reason that it gives.
func TestExpectedLeaks(t *testing.T) {
	_, expected := distributed(t)
	for name, e := range expected {
		if len(e.leaks) == 0 {
			if name != "Kubernetes1321" { // left out there
				t.Errorf("%s: the runtime's test does not have it", name)
			}
			continue
		}
		for _, waiters := range e.alternatives {
			for _, w := range waiters {
				if !known(e, w) {
					t.Errorf("%s: %s does not wait in %s according to the runtime's test", name, w.goroutine, w.kind)
				}
			}
		}
	}
}

// known reports whether the runtime's test has this waiter.
func known(e *expectation, w waiter) bool {
	for _, op := range operations[w.kind] {
		for _, reason := range reasons[op] {
			leak := w.goroutine + "(0x0) [" + reason + "]"
			if slices.ContainsFunc(e.leaks, func(r *regexp.Regexp) bool {
				return regexp.MustCompile(e.kernel.Short(r.String())).MatchString(leak)
			}) {
				return true
			}
		}
	}
	return false
}

func TestClasses(t *testing.T) {
	goroot, expected := distributed(t)
	classes, err := kernel.Classes(kernel.Dir(goroot))
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range expected {
		if classes[e.kernel.File()] == "" {
			t.Errorf("%s has no class", name)
		}
	}
	if got, want := classes["cockroach584"], "Resource: Double Locking"; got != want {
		t.Errorf("Cockroach584: %q, want %q", got, want)
	}
}

// waits is a party that waits at a line of a kernel's file.
func waits(task, function, operation, at string, callers ...string) report.PartyObject {
	p := report.PartyObject{Task: task, Function: "main." + function}
	p.Op, p.At = operation, at
	for _, c := range callers {
		p.Stack = append(p.Stack, report.FrameObject{At: c})
	}
	return p
}

func finding(property string, parties ...report.PartyObject) *report.BuiltinObject {
	return &report.BuiltinObject{Builtin: property, FindingObject: &report.FindingObject{How: "observed", Text: "told", Parties: parties}}
}

// TestNamed judges reports of a kernel in which one function locks twice while another one, started
// as often, sends.
func TestNamed(t *testing.T) {
	const source = `package main

func init() {
	register("Made3", Made)
}

func (s *S_made3) enter() {
	s.mu.Lock()
	s.mu.Lock()
}

func put_made3(c chan int) {
	c <- 1
}

func Made(c chan int) {
	go put_made3(c)
	go other_made3(c)
	go func(n int) {
		c <- n
	}(1)
	go s.enter()
}
`
	k, err := kernel.Parse("made3.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	const text = "Made3 (*S).enter: enter lock#2 + put: put send\nMade3 (*S).enter: enter lock#1 + (*S).enter: enter lock#2\nMade3 Made.func1: Made send"
	expected, err := expectations(text, []*kernel.Kernel{k}, map[string][]*regexp.Regexp{
		"Made3": {regexp.MustCompile(`other_made3\(.* \[chan receive\]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := expected["Made3"]
	second := waits("main.1", "(*S_made3).enter", "lock", "single/Made3/made3.go:9")
	first := waits("main.2", "(*S_made3).enter", "lock", "made3.go:8")
	sender := waits("main.3", "put_made3", "send", "lib.go:4", "lib.go:4", "made3.go:13")
	receiver := waits("main.4", "other_made3", "recv", "made3.go:99")
	inlined := waits("main.3", "caller.put_made3", "send", "made3.go:13")
	wrapped := waits("main.3", "Made.gowrap1", "send", "made3.go:13", "made3.go:13", "made3.go:99")
	wrapped.Stack[0].Function, wrapped.Stack[1].Function = "main.put_made3", "main.Made.gowrap1"
	cut := waits("main.3", "Made.gowrap1", "send", "made3.go:13")
	cut.Started = &report.StartedObject{At: "single/made3.go:17"}
	elsewhere := cut
	elsewhere.Started = &report.StartedObject{At: "single/made3.go:18"}
	literal := waits("main.3", "Made.gowrap2", "send", "made3.go:20", "made3.go:20")
	literal.Stack[0].Function = "main.Made.func1"
	literal.Started = &report.StartedObject{At: "single/made3.go:19"}
	foreign := waits("main.3", "Made.gowrap2", "send", "made3.go:20", "made3.go:20", "lib.go:20")
	foreign.Stack[0].Function, foreign.Stack[1].Function = "main.Made.func1", "main.other"
	foreign.Started = literal.Started
	method := waits("main.1", "Made.gowrap3", "lock", "made3.go:9")
	method.Started = &report.StartedObject{At: "single/made3.go:22"}
	sameTask := first
	sameTask.Task = second.Task
	for name, c := range map[string]struct {
		findings []*report.BuiltinObject
		named    bool
	}{
		"one finding":             {[]*report.BuiltinObject{finding("deadlock", second, sender)}, true},
		"two findings":            {[]*report.BuiltinObject{finding("stuck", second), finding("stuck", sender)}, true},
		"another alternative":     {[]*report.BuiltinObject{finding("stuck", second, first)}, true},
		"with a consequence":      {[]*report.BuiltinObject{finding("stuck", second, first, receiver)}, true},
		"inlined":                 {[]*report.BuiltinObject{finding("stuck", second, inlined)}, true},
		"wrapped":                 {[]*report.BuiltinObject{finding("stuck", second, wrapped)}, true},
		"wrapped, calls cut off":  {[]*report.BuiltinObject{finding("stuck", second, cut)}, true},
		"another one wrapped":     {[]*report.BuiltinObject{finding("stuck", second, elsewhere)}, false},
		"a wrapped method":        {[]*report.BuiltinObject{finding("stuck", method, sender)}, true},
		"a wrapped literal":       {[]*report.BuiltinObject{finding("stuck", literal)}, true},
		"who calls it, cut off":   {[]*report.BuiltinObject{finding("stuck", foreign)}, false},
		"beside who has ended":    {[]*report.BuiltinObject{finding("stuck", second, sender, waits("main.5", "main", "end", ""))}, true},
		"who has ended alone":     {[]*report.BuiltinObject{finding("stuck", waits("main.5", "main", "end", ""))}, false},
		"nothing":                 {nil, false},
		"half of it":              {[]*report.BuiltinObject{finding("stuck", second)}, false},
		"the consequence alone":   {[]*report.BuiltinObject{finding("stuck", receiver)}, false},
		"the same task twice":     {[]*report.BuiltinObject{finding("stuck", second, sameTask)}, false},
		"another property":        {[]*report.BuiltinObject{finding("closed", second, sender)}, false},
		"with somebody else":      {[]*report.BuiltinObject{finding("stuck", second, sender, waits("main.5", "main", "recv", "made3.go:9"))}, false},
		"on another line":         {[]*report.BuiltinObject{finding("stuck", second, waits("main.3", "put_made3", "send", "made3.go:12"))}, false},
		"in another file":         {[]*report.BuiltinObject{finding("stuck", second, waits("main.3", "put_made3", "send", "made4.go:13"))}, false},
		"doing something else":    {[]*report.BuiltinObject{finding("stuck", second, waits("main.3", "put_made3", "recv", "made3.go:13"))}, false},
		"in another goroutine":    {[]*report.BuiltinObject{finding("stuck", second, waits("main.3", "(*S_made3).enter", "send", "made3.go:13"))}, false},
		"in a function alike":     {[]*report.BuiltinObject{finding("stuck", second, waits("main.3", "put_made4", "send", "made3.go:13"))}, false},
		"with nobody in a report": {[]*report.BuiltinObject{finding("stuck")}, false},
	} {
		if got := e.named(c.findings); got != c.named {
			t.Errorf("%s: named is %t, want %t", name, got, c.named)
		}
	}
}

func TestExpectationsThatAreWrong(t *testing.T) {
	k, err := kernel.Parse("made4.go", []byte("package main\nfunc init() { register(\"Made4\", Made) }\nfunc f(c chan int) { c <- 1 }\n"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                         "says nothing of Made4",
		"Made5 f: f send":          "no kernel Made5",
		"Made4 f f send":           "not of the form",
		"Made4 f: g send":          "0 functions named g",
		"Made4 f: f recv":          "0 operations of kind recv",
		"Made4 f: f send#2":        "1 operations of kind send",
		"Made4 f: f send + f send": "not of the form",
	} {
		_, err := expectations(text, []*kernel.Kernel{k}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", text, err, want)
		}
	}
}
