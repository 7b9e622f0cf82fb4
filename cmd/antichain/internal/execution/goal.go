package execution

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
)

// halts reports whether the program is to be halted somewhere, and not at violations.
func (p *Plan) halts() bool { return p.Halt || len(p.HaltAt) > 0 }

// goal has the program stop where it is to be halted, and returns where that is.
func (p *Plan) goal(run *run, replayed *replay) *live.Goal {
	run.reported = true
	if p.Halt {
		return replayed.goal(run.Schedule)
	}
	if run.Schedule == nil {
		run.Schedule = new(ring.Schedule)
	}
	run.Schedule.Holds = p.HoldFor
	for _, line := range p.Lines {
		run.Schedule.Lines = append(run.Schedule.Lines, line.First(p.Lines))
	}
	return &live.Goal{
		Reached: func(run *launch.Run) bool { return run.Progress().Met },
		Words:   "at " + wording.List(p.HaltAt),
	}
}

// writeMeeting says what became of the lines that were to be reached at once.
func (p *Plan) writeMeeting(w io.Writer, ended *launch.Result) {
	if len(p.HaltAt) == 0 || ended.Kept.Met {
		return
	}
	var most []string
	for i, at := range p.HaltAt {
		if ended.Kept.Most>>i&1 != 0 {
			most = append(most, at)
		}
	}
	best := "nobody came to any of them"
	if len(most) > 0 {
		best = "at most " + wording.List(most)
	}
	fmt.Fprintf(w, "antichain: there was never a goroutine at each of these lines at once: %s; %s\n", event.Printable(wording.List(p.HaltAt)), event.Printable(best))
}
