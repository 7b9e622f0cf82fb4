package stream

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tracer/event"
)

// scriptedSource is a source whose producers come one after the other, or together.
type scriptedSource struct {
	several bool
	traces  []io.Reader
}

func (s *scriptedSource) String() string             { return "script" }
func (s *scriptedSource) open(context.Context) error { return nil }
func (s *scriptedSource) close()                     {}
func (s *scriptedSource) Many() bool                 { return s.several }

func (s *scriptedSource) serve(ctx context.Context, box *mailbox) error {
	for i, in := range s.traces {
		box.read(newProducer(ctx, fmt.Sprintf("p%d", i+1), s), in)
	}
	return nil
}

func script(traces ...string) *scriptedSource {
	s := &scriptedSource{several: true}
	for _, t := range traces {
		s.traces = append(s.traces, strings.NewReader(t))
	}
	return s
}

// diary is a handler, and the sink of every run, that writes down what it receives.
type diary struct {
	lines []string
	said  chan<- string              // gets the lines instead, if it is not nil
	add   func(e *event.Event) error // decides what Add returns
	step  func() error
	begin func(h *event.Header) error
}

func (d *diary) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if d.said != nil {
		d.said <- line
		return
	}
	d.lines = append(d.lines, line)
}

func (d *diary) Begin(name string, h *event.Header) (Sink, error) {
	d.note("%s begins with %s", name, strings.Join(h.Tasks, " "))
	if d.begin != nil {
		if err := d.begin(h); err != nil {
			return nil, err
		}
	}
	s := &diarySink{diary: d, name: name, tasks: map[string]bool{}}
	for _, t := range h.Tasks {
		s.tasks[t] = true
	}
	return s, nil
}

func (d *diary) Fail(err error) { d.note("fails: %v", err) }

func (d *diary) Unbegun(source string) { d.note("no run: %s", source) }

type diarySink struct {
	*diary
	name  string
	tasks map[string]bool
}

func (s *diarySink) Add(e *event.Event, pos string) error {
	what := e.Op
	if e.Spawn != "" {
		what = "spawns " + e.Spawn
		s.tasks[e.Spawn] = true
	}
	s.note("%s: %s %s at %s", s.name, e.Task, what, pos)
	if s.add != nil {
		return s.add(e)
	}
	return nil
}

func (*diarySink) Enter(*event.Header, string) {}

func (*diarySink) Operation(*event.Header, *event.Event) {}

func (s *diarySink) Creates(task string) bool { return s.tasks[task] }
func (s *diarySink) End(task string)          { s.note("%s: end of %s", s.name, task) }

func (s *diarySink) Step() error {
	if s.step != nil {
		return s.step()
	}
	return nil
}

func (s *diarySink) Close(cut error) error {
	if cut != nil {
		s.note("%s is cut off: %v", s.name, cut)
	} else {
		s.note("%s is over", s.name)
	}
	return nil
}

// serve serves the sources and compares the diary.
func serve(t *testing.T, d *diary, want string, sources ...Source) {
	t.Helper()
	if err := Serve(t.Context(), sources, d); err != nil {
		t.Errorf("Serve: %v", err)
	}
	compare(t, d, want)
}

func compare(t *testing.T, d *diary, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(want), "\n"), d.lines); diff != "" {
		t.Error("diary (-want +got):\n" + diff)
	}
}

func TestOneRunOfSeveral(t *testing.T) {
	serve(t, &diary{}, `
R begins with a env
R: a one at p1:2
R: a spawns b at p1:3
R: a spawns e at p1:4
R: b one at p1:5
R: a end at p1:6
R: end of b
R: env spawns c at p2:1
R: env spawns d at p2:1
R: c two at p2:2
R: d end at p2:3
R: end of c
R: end of env
R is over
`, script(`{"antichain":1,"tasks":["a"],"run":"R"}
{"t":"a","op":"one"}
{"t":"a","spawn":"b"}
{"t":"a","spawn":"e"}
{"t":"b","op":"one"}
{"t":"a","op":"end"}
`, `{"antichain":1,"tasks":["c","d"],"run":"R"}
{"t":"c","op":"two"}
{"t":"d","op":"end"}
`))
}

// One trace alone is its net: no other can join.
func TestOneProducer(t *testing.T) {
	one := script(`{"antichain":1,"tasks":["a"],"run":"R"}
{"t":"a","op":"one"}
`)
	one.several = false
	serve(t, &diary{}, `
p1 begins with a
p1: a one at p1:2
p1 is over
`, one)
}

func TestOtherRuns(t *testing.T) {
	serve(t, &diary{}, `
R begins with a env
R: end of a
Q begins with a env
Q: end of a
p3 begins with a
p3: a one at p3:2
p3 is over
p4 begins with a
p4 is over
R: end of env
R is over
Q: end of env
Q is over
`, script(`{"antichain":1,"tasks":["a"],"run":"R"}`, `{"antichain":1,"tasks":["a"],"run":"Q"}`,
		`{"antichain":1,"tasks":["a"]}
{"t":"a","op":"one"}`, `{"antichain":1,"tasks":["a"]}`))
}
