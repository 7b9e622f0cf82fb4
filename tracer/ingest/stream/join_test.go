package stream

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
)

// A producer that does not fit is refused, and the run goes on.
func TestRefusedProducers(t *testing.T) {
	const first = `{"antichain":1,"tasks":["a","env"],"run":"R","const":{"N":3},"shared":{"x":0},` +
		`"instrumented":{"package":"m","functions":["f"],"variables":[],"steps":false}}
{"t":"a","spawn":"b"}
{"t":"a","op":"end"}
{"t":"b","op":"end"}
{"t":"env","op":"end"}
`
	for header, why := range map[string]string{
		`{"antichain":1,"tasks":["c","a"],"run":"R"}`:                                                                           `task "a" is there already (the producers of a run need tasks of different names)`,
		`{"antichain":1,"tasks":["b"],"run":"R"}`:                                                                               `task "b" is there already (the producers of a run need tasks of different names)`,
		`{"antichain":1,"tasks":["env'"],"run":"R"}`:                                                                            `task "env'" is there already (the producers of a run need tasks of different names)`,
		`{"antichain":1,"tasks":["c"],"run":"R","const":{"N":4}}`:                                                               `its first producer has other constants (all headers of a run need the same constants)`,
		`{"antichain":1,"tasks":["c"],"run":"R","shared":{"y":0}}`:                                                              `its first producer has other shared variables (all headers of a run need the same shared variables)`,
		`{"antichain":1,"tasks":["c"],"run":"R","sparse":true}`:                                                                 `a trace that lacks goroutines cannot be joined with others (record it with a specification that needs all goroutines)`,
		`{"antichain":1,"tasks":["c"],"run":"R","instrumented":{"package":"m","functions":["g"],"variables":[],"steps":false}}`: `its first producer records other functions and variables (build all programs of a run with the same specification)`,
		`{"antichain":1,"tasks":["c"],"run":"R","const":{"N":3},"shared":{"x":0,"y":"no"}}`:                                     `its first producer has other shared variables (all headers of a run need the same shared variables)`,
	} {
		serve(t, &diary{}, fmt.Sprintf(`
R begins with a env env'
R: a spawns b at p1:2
R: a end at p1:3
R: b end at p1:4
R: env end at p1:5
%s
R: env' spawns d at p3:1
R: end of d
R: end of env'
R is over
`, "fails: p2:1: run \"R\": "+why),
			script(first, header+"\n"+`{"t":"c","op":"ignored"}`,
				`{"antichain":1,"tasks":["d"],"run":"R","const":{"N":3}}`))
	}
}

// The tasks of a producer that breaks off are cut off; others of the run may still end.
func TestBreakingOff(t *testing.T) {
	serve(t, &diary{}, `
R begins with a env
R: a one at p1:2
fails: p1:3:9: truncated last line: bad JSON: the line ends too early (the trace was cut off; the events before the cut can be read)
R: env spawns b at p2:1
R: end of b
R is cut off: p1:3:9: truncated last line: bad JSON: the line ends too early (the trace was cut off; the events before the cut can be read)
`, script(`{"antichain":1,"tasks":["a"],"run":"R"}
{"t":"a","op":"one"}
{"t":"a"`, `{"antichain":1,"tasks":["b"],"run":"R"}`))
}

// A task of one producer can have its events from another one, and ends with that.
func TestTasksOfOthers(t *testing.T) {
	d := &diary{}
	a, b := newProducer(t.Context(), "A", nil), newProducer(t.Context(), "B", nil)
	first := &event.Header{Tasks: []string{"a", "b"}, Run: "R"}
	r, h := newRun(first, true)
	var err error
	if r.sink, err = d.Begin("R", h); err != nil {
		t.Fatal(err)
	}
	r.enter(a, first)
	r.enter(b, &event.Header{})
	for _, sent := range []struct {
		by *producer
		e  event.Event
	}{{a, event.Event{Task: "a", Spawn: "w"}}, {b, event.Event{Task: "w", Op: "x"}},
		{b, event.Event{Task: "b", Op: "y"}}, {b, event.Event{Task: "b", Op: "end"}}} {
		if err := r.take(sent.by, &sent.e, "here"); err != nil {
			t.Fatal(err)
		}
	}
	r.leave(a, nil)
	d.note("A has left")
	r.leave(b, nil)
	compare(t, d, `
R begins with a b env
R: a spawns w at here
R: w x at here
R: b y at here
R: b end at here
R: end of a
A has left
R: end of w
`)
}

// Input that is no trace concerns no run.
func TestGarbage(t *testing.T) {
	serve(t, &diary{}, `
fails: p1:1: missing header: the trace is empty
fails: p2:1:1: bad JSON: 'g' where '{' should be
fails: p3:1: unknown version 3 of the trace format (this program reads versions up to 2)
fails: p4:header: unknown version 9 of the binary trace (this program reads versions up to 2)
fails: p5:1: line of more than 16777216 bytes (record smaller values)
fails: p6:header: truncated: the trace ends too early (the trace was cut off; the events before the cut can be read)
p7 begins with a
p7 is over
`, script("", "garbage\n", `{"antichain":3,"tasks":["a"]}`, "\x89ACT\r\n\x1a\n\x09", strings.Repeat("a", 17<<20),
		"\x89ACT\r\n\x1a\n\x01", `{"antichain":1,"tasks":["a"]}`))
}

// Of the runs without a producer that wait to be joined, the oldest are closed.
func TestIdleRuns(t *testing.T) {
	var traces []string
	for i := range MaxIdle + 2 {
		traces = append(traces, fmt.Sprintf(`{"antichain":1,"tasks":["a"],"run":"R%d"}`, i))
	}
	// The first run is closed by then, and begins again; the third one goes on.
	traces = append(traces, `{"antichain":1,"tasks":["b"],"run":"R0"}`, `{"antichain":1,"tasks":["b"],"run":"R3"}`)
	d := &diary{}
	if err := Serve(t.Context(), []Source{script(traces...)}, d); err != nil {
		t.Fatal(err)
	}
	var short []string
	for _, l := range d.lines {
		if strings.HasPrefix(l, "R0") || strings.HasPrefix(l, "R3 ") || strings.HasPrefix(l, "R3:") {
			short = append(short, l)
		}
	}
	d.lines = short
	compare(t, d, `
R0 begins with a env
R0: end of a
R3 begins with a env
R3: end of a
R0: end of env
R0 is over
R0 begins with b env
R0: end of b
R3: env spawns b at p68:1
R3: end of b
R3: end of env
R3 is over
R0: end of env
R0 is over
`)
}

// singleSource is a source with one producer, whose trace comes piece by piece.
type singleSource struct {
	scriptedSource
	pieces *io.PipeWriter
}

func newSingle() *singleSource {
	out, in := io.Pipe()
	return &singleSource{scriptedSource{traces: []io.Reader{out}}, in}
}

func (s *singleSource) serve(ctx context.Context, box *mailbox) error {
	box.read(newProducer(ctx, "p", s), s.traces[0])
	return nil
}

// When all possible producers have begun no other joins a run, and a run whose producers have ended
// is over though another one continues.
func TestNobodyElseJoins(t *testing.T) {
	a, b := newSingle(), newSingle()
	said := make(chan string)
	d := &diary{said: said}
	done := make(chan error)
	go func() { done <- Serve(t.Context(), []Source{a, b}, d) }()
	expect := func(lines ...string) {
		t.Helper()
		for _, want := range lines {
			if got := <-said; got != want {
				t.Errorf("%s, not %s", got, want)
			}
		}
	}
	write := func(s *singleSource, line string) {
		t.Helper()
		if _, err := io.WriteString(s.pieces, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	write(a, `{"antichain":1,"tasks":["a"],"run":"R"}`)
	expect("R begins with a env")
	write(a, `{"t":"a","op":"one"}`)
	expect("R: a one at p:2")
	a.pieces.Close()
	expect("R: end of a")
	write(b, `{"antichain":1,"tasks":["b"],"run":"Q"}`)
	expect("Q begins with b env", "R: end of env", "R is over", "Q: end of env")
	write(b, `{"t":"b","op":"two"}`)
	expect("Q: b two at p:2")
	b.pieces.Close()
	expect("Q: end of b", "Q is over")
	if err := <-done; err != nil {
		t.Error(err)
	}
}
