package findings

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// oneChannel are the names of a run with one channel.
type oneChannel struct{}

func (oneChannel) Task(op.Task) op.Origin       { return op.Origin{Name: "main", By: op.NoTask} }
func (oneChannel) Object(op.Object) string      { return "chan 1" }
func (oneChannel) Place(p op.Place) op.Location { return op.Location{At: "main.go:1"} }

// closeNil is told a watcher of a program that closes a nil channel.
func closeNil(b *Watch) {
	b.Op(&op.Op{Kind: op.Misuse, Task: 0, K: 1, At: 1, Arg: int64(op.CloseNil)})
}

// What was recorded in part gives no verdict, but what was observed is shown.
func TestJudgeBuiltins(t *testing.T) {
	whole := launch.Result{Complete: true, Program: ring.Identity{Operations: true}}
	cut, missing, old := whole, whole, whole
	cut.Complete = false
	missing.Missing, missing.Why = 3, "the checker was stopped"
	old.Program.Operations = false
	untracedCond := &event.Header{Instrumented: &event.Instrumentation{Untraced: []string{"sync.Cond"}}}
	for _, tt := range []struct {
		name    string
		header  *event.Header
		ended   launch.Result
		unknown string // why there is no verdict
	}{
		{"whole", &event.Header{}, whole, ""},
		{"no header", nil, whole, ""},
		{"cut off", nil, cut, "the trace was not read to its end"},
		{"lost", nil, missing, "at least 3 records of the program lost: the checker was stopped"},
		{"another version of Go", nil, old, "cannot trace where goroutines wait with this version of Go"},
		{"a kind that is not traced", untracedCond, whole, "the program was traced without sync.Cond"},
	} {
		var out bytes.Buffer
		c := &check.Checker{Stdout: &out, Stderr: &out}
		b := NewWatch(t.Context(), []builtin.Property{builtin.Closed, builtin.Stuck}, specfile.Functions{}, nil)
		closeNil(b)
		outcome, results := b.Judge(t.Context(), c, oneChannel{}, tt.header, &tt.ended)
		if err := Write(c, "x", results); err != nil {
			t.Fatal(err)
		}
		want := "closed: violated (observed)\n"
		if tt.unknown != "" {
			want = "closed: unknown (observed)\n"
		}
		if (tt.unknown == "") != (outcome.Unknown == "") || !strings.Contains(outcome.Unknown, tt.unknown) {
			t.Errorf("%s: unknown %q, want %q", tt.name, outcome.Unknown, tt.unknown)
		}
		if (len(outcome.Violated) == 1) != (tt.unknown == "") || !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: %+v, reported %q, want %q", tt.name, outcome, &out, want)
		}
	}
}

// When the memory is used up there is no verdict, and the flag that allows more is named.
func TestBuiltinMemory(t *testing.T) {
	memory, exhaust := context.WithCancelCause(t.Context())
	b := NewWatch(memory, []builtin.Property{builtin.Closed}, specfile.Functions{}, nil)
	exhaust(&budget.MemoryError{})
	for b.checker.Load() != nil { // it comes to know in its own time
		closeNil(b)
	}
	var out bytes.Buffer
	outcome, results := b.Judge(t.Context(), &check.Checker{Stdout: &out, Stderr: &out}, oneChannel{}, nil, &launch.Result{Complete: true})
	if !strings.HasSuffix(outcome.Unknown, "; --memory allows more") || results[0].Verdict != tlcheck.Unknown || out.Len() > 0 {
		t.Errorf("%+v, %+v, reported %q", outcome, results, &out)
	}
}

// Of a run of which only the first part is judged what has happened there stands, and nothing else
// is known.
func TestPartly(t *testing.T) {
	whole := launch.Result{Complete: true, Program: ring.Identity{Operations: true}}
	let, lost := whole, whole
	let.LetGo, let.LetGoAt = true, 3*time.Second
	lost.LetGo, lost.Missing = true, 1
	for _, tt := range []struct {
		name    string
		ended   launch.Result
		cause   error
		want    string // part of why the rest is unknown
		verdict tlcheck.Verdict
	}{
		{"time", whole, budget.ErrTime, "only the first 1 operation of the run are judged: the time ran out; --timeout allows more", tlcheck.Violated},
		{"waits", let, nil, "only the first 1 operation of the run are judged, the first 3s: the program synchronises faster than antichain judges", tlcheck.Violated},
		{"lost", lost, nil, "at least 1 record of the program lost", tlcheck.Unknown},
	} {
		within, end := context.WithCancelCause(t.Context())
		b := NewWatch(within, []builtin.Property{builtin.Closed, builtin.Stuck}, specfile.Functions{}, nil)
		closeNil(b)
		b.Op(&op.Op{Kind: op.Block, Task: 0, K: 2, At: 2, Want: op.Recv, Object: 1, Other: op.NoTask})
		b.judged = 1
		if tt.cause != nil {
			end(tt.cause)
			for !b.enough() { // it comes to know in its own time
				runtime.Gosched()
			}
			b.Op(&op.Op{Kind: op.Left, Task: 0, K: 3, Other: op.NoTask, Arg: 1, At: 4})
		}
		summary, results := b.Judge(t.Context(), &check.Checker{Stdout: io.Discard, Stderr: io.Discard}, oneChannel{}, nil, &tt.ended)
		verdicts := map[builtin.Property]tlcheck.Verdict{}
		for _, r := range results {
			verdicts[r.Builtin] = r.Verdict
		}
		if verdicts[builtin.Closed] != tt.verdict || verdicts[builtin.Stuck] != tlcheck.Unknown || len(results) != 2 || !strings.Contains(summary.Unknown, tt.want) {
			t.Errorf("%s: %v, %q", tt.name, verdicts, summary.Unknown)
		}
		end(nil)
	}
}

// An interrupt ends the search, and so does a budget that is used up.
func TestBuiltinInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	for range 100 { // both ends are there; either may be seen first
		var out bytes.Buffer
		b := NewWatch(t.Context(), []builtin.Property{builtin.Closed}, specfile.Functions{}, nil)
		outcome, _ := b.Judge(ctx, &check.Checker{Stdout: &out, Stderr: &out}, oneChannel{}, nil, &launch.Result{Complete: true, Program: ring.Identity{Operations: true}})
		if outcome.Unknown != "" && outcome.Unknown != interrupt.Err.Error() {
			t.Fatalf("%+v", outcome)
		}
		if outcome.Unknown != "" {
			return
		}
	}
	t.Error(errors.New("an interrupt was never noticed"))
}
