package tltest_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/tltest"
	"github.com/antichain-go/antichain/tracer/event"
)

// failures is a test that keeps how it fails.
type failures struct {
	testing.TB
	texts []string
}

func (f *failures) Errorf(format string, args ...any) {
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *failures) Fatal(args ...any) {
	f.texts = append(f.texts, fmt.Sprint(args...))
	panic(f)
}

// check returns how Check fails.
func check(t *testing.T, specification string, r *tltest.Recorder) []string {
	f := &failures{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(f) {
				panic(p)
			}
		}()
		tltest.Check(f, specification, r)
	}()
	return f.texts
}

// lines returns what was recorded as the lines of a trace.
func lines(t *testing.T, r *tltest.Recorder) []string {
	t.Helper()
	run := r.Trace()
	header, err := run.Header()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	w := event.NewTextWriter(&text, header)
	var e event.Event
	for run.Next(&e) == nil {
		e.At = ""
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(text.String()), "\n")
}

func TestRecorder(t *testing.T) {
	r := tltest.NewRecorder()
	r.Share("total", 0)
	a := r.Task("a")
	a.Enter("f", "i", 1, "name", "x")
	b := a.Go("b")
	a.Lock("mu")
	a.Write("total", uint8(2))
	a.Unlock("mu")
	sent := a.Send("c")
	a.Send("c")
	b.Receive("c")
	b.Lock("mu")
	b.Receive("c")
	r.Task("late").After(sent, sent).Set("list", []any{nil, true, 1.5}, "map", map[string]int{"y": 2, "x": 1})
	r.Task("late").Global("v", event.StringValue("w"))
	r.Task("late").Do("read", "file")
	a.After(sent).Exit("f")
	a.End()
	want := []string{
		`{"antichain":1,"tasks":["a","late"],"shared":{"total":0}}`,
		`{"t":"a","enter":"f","set":{"i":1,"name":"x"}}`,
		`{"t":"a","spawn":"b","op":"go"}`,
		`{"t":"a","op":"lock","obj":"mu"}`,
		`{"t":"a","write":{"total":2}}`,
		`{"t":"a","op":"unlock","obj":"mu"}`,
		`{"t":"a","op":"send","obj":"c"}`,
		`{"t":"a","op":"send","obj":"c"}`,
		`{"t":"b","after":[["a",6]],"op":"recv","obj":"c"}`,
		`{"t":"b","after":[["a",5]],"op":"lock","obj":"mu"}`,
		`{"t":"b","after":[["a",7]],"op":"recv","obj":"c"}`,
		`{"t":"late","set":{"list":[null,true,1.5],"map":{"x":1,"y":2}},"after":[["a",6],["a",6]]}`,
		`{"t":"late","global":{"v":"w"}}`,
		`{"t":"late","op":"read","obj":"file"}`,
		`{"t":"a","exit":"f"}`,
		`{"t":"a","op":"end"}`,
	}
	if d := cmp.Diff(want, lines(t, r)); d != "" {
		t.Error("-want +got:", d)
	}
	if got := check(t, "property p: t:(true)", r); got != nil {
		t.Errorf("%q", got)
	}
}

// Each way to order events of two tasks keeps them out of a section at the same time.
func TestOrder(t *testing.T) {
	const exclusive = "property exclusive: not (t:(in.f) and u:(in.f)) if t != u"
	section := func(t *tltest.Task) {
		t.Enter("f")
		t.Exit("f")
	}
	for name, run := range map[string]func(a, b *tltest.Task){
		"nothing": func(a, b *tltest.Task) { section(a); section(b) },
		"after":   func(a, b *tltest.Task) { section(a); b.After(a.Do("log", "done")); section(b) },
		"message": func(a, b *tltest.Task) { section(a); a.Send("c"); b.Receive("c"); section(b) },
		"lock": func(a, b *tltest.Task) {
			for _, t := range []*tltest.Task{a, b} {
				t.Lock("mu")
				section(t)
				t.Unlock("mu")
			}
		},
		"go": func(a, _ *tltest.Task) { section(a); section(a.Go("c")) },
	} {
		r := tltest.NewRecorder()
		run(r.Task("a"), r.Task("b"))
		if got := check(t, exclusive, r); len(got) > 0 != (name == "nothing") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A mistake is reported with the line of the test that makes it.
func TestMistakes(t *testing.T) {
	for want, run := range map[string]func(r *tltest.Recorder){
		`Receive from "c" with`:            func(r *tltest.Recorder) { r.Task("a").Receive("c") },
		`Go starts task "a", w`:            func(r *tltest.Recorder) { r.Task("a").Go("a") },
		`x is no name with a value: write`: func(r *tltest.Recorder) { r.Task("a").Set("x") },
		`1 is no name with a value: write`: func(r *tltest.Recorder) { r.Task("a").Set(1, "x") },
		`variable "x": traces `:            func(r *tltest.Recorder) { r.Share("x", t) },
		`event 1: write of variable "x"`:   func(r *tltest.Recorder) { r.Task("a").Write("x", 1) },
		`task "a", event 1: ex`:            func(r *tltest.Recorder) { r.Task("a").Exit("f") },
		`event 2: event of task "a" aft`:   func(r *tltest.Recorder) { r.Task("a").End(); r.Task("a").End() },
	} {
		r := tltest.NewRecorder()
		run(r)
		got := check(t, "property p: t:(true)", r)
		if len(got) != 1 || !regexp.MustCompile(`^recorder_test\.go:1\d\d: `+regexp.QuoteMeta(want)).MatchString(got[0]) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r := tltest.NewRecorder()
	if got := check(t, "property p: t:(true)", r); len(got) != 1 || got[0] != "nothing was recorded" {
		t.Errorf("%q", got)
	}
	r.Task("a").Enter("f")
	for specification, want := range map[string]string{
		"property p: t:(in.f":      "specification:1:20: ",
		"property p: t:(not in.f)": "p: violated",
	} {
		if got := check(t, specification, r); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q: %q, want %q", specification, got, want)
		}
	}
}

// Goroutines record at the same time, and what was recorded is checked meanwhile.
func TestConcurrentUse(t *testing.T) {
	r := tltest.NewRecorder()
	shared := r.Task("shared")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			task := shared.Go(fmt.Sprint("task ", i))
			for range 20 {
				task.Enter("f")
				task.Exit("f")
				shared.Set("i", i)
			}
		})
	}
	tltest.Check(t, "property p: t:(true)", r)
	wait.Wait()
	if got := len(lines(t, r)); got != 1+8*(1+3*20) {
		t.Errorf("%d lines", got)
	}
	tltest.Check(t, "property p: t:(true)", r)
}
