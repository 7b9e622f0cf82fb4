package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
)

// A run that does not accept an event is over, and its producers are ignored; others go on.
func TestBrokenRun(t *testing.T) {
	d := &diary{add: func(e *event.Event) error {
		if e.Op == "bad" {
			return errors.New("bad event")
		}
		return nil
	}}
	serve(t, d, `
R begins with a env
R: end of a
R: env spawns b at p2:1
R: b bad at p2:2
fails: bad event
R is cut off: bad event
p3 begins with c
p3: c good at p3:2
p3 is over
`, script(`{"antichain":1,"tasks":["a"],"run":"R"}`, `{"antichain":1,"tasks":["b"],"run":"R"}
{"t":"b","op":"bad"}
{"t":"b","op":"ignored"}
`, `{"antichain":1,"tasks":["c"]}
{"t":"c","op":"good"}
`))
}

// A producer whose run the handler refuses is ignored.
func TestRefusedRun(t *testing.T) {
	d := &diary{begin: func(h *event.Header) error {
		if h.Tasks[0] == "a" {
			return errors.New("not this one")
		}
		return nil
	}}
	serve(t, d, `
p1 begins with a
fails: not this one
p2 begins with b
p2 is over
`, script(`{"antichain":1,"tasks":["a"]}
{"t":"a"}
`, `{"antichain":1,"tasks":["b"]}`))
}

// endlessSource is a source of a trace that goes on for ever.
type endlessSource struct{ scriptedSource }

func (s *endlessSource) serve(ctx context.Context, box *mailbox) error {
	in, out := io.Pipe()
	context.AfterFunc(ctx, func() { out.CloseWithError(context.Cause(ctx)) })
	go func() {
		_, err := io.WriteString(out, `{"antichain":1,"tasks":["a"],"run":"R"}`+"\n")
		for err == nil {
			_, err = io.WriteString(out, `{"t":"a","op":"again"}`+"\n")
		}
	}()
	box.read(newProducer(ctx, "p", s), in)
	return nil
}

// A Step that fails ends everything: what still comes is cut off, what was over is not.
func TestStepEnds(t *testing.T) {
	first := errors.New("first violation")
	d := &diary{}
	var over func()
	d.step = func() error {
		for _, l := range d.lines {
			if strings.Contains(l, "again") {
				over()
				return first
			}
		}
		return nil
	}
	over = func() { d.lines = nil }
	if err := Serve(t.Context(), []Source{&endlessSource{}}, d); err != first {
		t.Errorf("Serve: %v", err)
	}
	compare(t, d, `p is cut off: first violation`)
}

// It ends runs that wait to be joined, too: nothing more is checked.
func TestStepEndsIdleRuns(t *testing.T) {
	first := errors.New("first violation")
	d := &diary{}
	d.step = func() error {
		if strings.Contains(strings.Join(d.lines, "\n"), "Q: a one") {
			return first
		}
		return nil
	}
	err := Serve(t.Context(), []Source{script(`{"antichain":1,"tasks":["a"],"run":"R"}`,
		`{"antichain":1,"tasks":["a"],"run":"Q"}
{"t":"a","op":"one"}
`)}, d)
	if err != first {
		t.Errorf("Serve: %v", err)
	}
	for _, run := range []string{"R", "Q"} {
		if want := run + " is cut off: first violation"; !slices.Contains(d.lines, want) {
			t.Errorf("%q was not written down: %q", want, d.lines)
		}
	}
}

// An interrupt cuts off what still comes, and is no error.
func TestInterrupt(t *testing.T) {
	interrupt := errors.New("interrupt")
	ctx, cancel := context.WithCancelCause(t.Context())
	d := &diary{}
	d.step = func() error {
		d.lines = nil
		cancel(interrupt)
		return nil
	}
	if err := Serve(ctx, []Source{&endlessSource{}}, d); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if last := d.lines[len(d.lines)-1]; last != "p is cut off: interrupt" {
		t.Errorf("ended with %q", last)
	}
}

// Errors of sources end these alone, and one that cannot be opened is reported before anything is
// read.
func TestSourceErrors(t *testing.T) {
	serve(t, &diary{}, `
fails: no more
no run: script
`, &failingSource{at: "serve"})
	d := &diary{}
	good := &failingSource{}
	if err := Serve(t.Context(), []Source{good, &failingSource{at: "open"}}, d); err == nil ||
		err.Error() != "no more" || len(d.lines) > 0 || !good.closed {
		t.Errorf("Serve: %v, closed %v, %q", err, good.closed, d.lines)
	}
}

type failingSource struct {
	scriptedSource
	at     string
	closed bool
}

func (s *failingSource) fail(at string) error {
	if s.at == at {
		return errors.New("no more")
	}
	return nil
}

func (s *failingSource) open(context.Context) error            { return s.fail("open") }
func (s *failingSource) serve(context.Context, *mailbox) error { return s.fail("serve") }
func (s *failingSource) close()                                { s.closed = true }

// A panic of a goroutine that reads comes out where Serve was called.
func TestPanic(t *testing.T) {
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, "a bug") || !strings.Contains(v, "serve_test.go") {
			t.Errorf("recovered %s", v)
		}
	}()
	_ = Serve(t.Context(), []Source{&scriptedSource{traces: []io.Reader{panicReader{}}}}, &diary{})
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("a bug") }
