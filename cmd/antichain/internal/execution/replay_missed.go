package execution

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// A run that did not keep its schedule is made once more, silently: that shows whether the program
// goes another way always, or something else than the schedule decides what it does. It takes so
// long at most.
const repetitionTime = 30 * time.Second

// lastOperations has what each goroutine did last. It implements op.Watcher.
type lastOperations map[op.Task]deed

type deed struct {
	kind op.Kind
	at   op.Place
}

// Op implements op.Watcher.
func (l lastOperations) Op(o *op.Op) {
	if o.Task == op.NoTask || o.At == 0 {
		return
	}
	if _, known := l[o.Task]; known || len(l) < mostLast {
		l[o.Task] = deed{o.Kind, o.At}
	}
}

// mostLast bounds the goroutines whose last operations are kept.
const mostLast = 1 << 16

// of says what a goroutine did last; "" if that is unknown.
func (l lastOperations) of(goroutine string, names op.Names) string {
	for t, d := range l {
		if names.Task(t).Name != goroutine {
			continue
		}
		if at := names.Place(d.at).At; at != "" {
			return schedule.Step{Kind: d.kind}.Word() + " at " + at
		}
	}
	return ""
}

// isMissed reports whether a program has not come to the end of the schedule.
func (r *replay) isMissed(kept ring.Progress) bool {
	return r != nil && r.schedule.Keep.Seed == 0 && kept.Done < len(r.schedule.Steps)
}

// missedText says which step did not come, and why.
func (r *replay) missedText(kept ring.Progress) string {
	step := r.schedule.Steps[kept.Done]
	text := fmt.Sprintf("step %d of %d was not reached: %s", kept.Done+1, len(r.schedule.Steps), step.Words())
	if why := kept.Missed.String(); why != "" {
		text += fmt.Sprintf(", since %s %s", step.Goroutine, why)
	}
	return text
}

// writeDifference says what the goroutine of a step that did not come did instead.
func (r *replay) writeDifference(
	w io.Writer, ended *launch.Result, last lastOperations, names op.Names,
) {
	if !r.isMissed(ended.Kept) {
		return
	}
	goroutine := r.schedule.Steps[ended.Kept.Done].Goroutine
	if did := last.of(goroutine, names); did != "" {
		fmt.Fprintf(w, "antichain: the last operation of %s: %s\n",
			event.Printable(goroutine), event.Printable(did))
	}
}

// repeat makes a run again that did not keep its schedule, and says what came of that.
func (r *runner) repeat(
	ctx context.Context, w io.Writer, replayed *replay, run *run, first ring.Progress, took time.Duration,
) error {
	if r.Repeated || !replayed.isMissed(first) || first.Input {
		return nil
	}
	how := confirmation.How{
		Schedule: run.Schedule, Limit: min(5*time.Second+2*took, repetitionTime), Grace: time.Second,
	}
	again, err := r.Run(ctx, how)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	case !replayed.isMissed(again.Kept):
		fmt.Fprintln(w, "antichain: a second run kept it, so the program also depends on something else")
	case again.Kept.Done == first.Done:
		fmt.Fprintln(w, "antichain: a second run did not reach that step, either")
	default:
		fmt.Fprintf(w, "antichain: a second run did not keep it, either: %s\n",
			event.Printable(replayed.missedText(again.Kept)))
	}
	return nil
}
