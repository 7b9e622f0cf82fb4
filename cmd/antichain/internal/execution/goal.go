package execution

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// halts reports whether the program is to be halted somewhere, and not at violations.
func (p *Plan) halts() bool { return p.Halt || len(p.HaltAt) > 0 }

// goal has the program stop where it is to be halted, and returns where that is.
func (p *Plan) goal(cfg *launch.Config, replayed *replay) *live.Goal {
	if cfg.Watch == nil {
		cfg.Watch = unwatched{} // so that it tells where goroutines wait, which steps are
	}
	if p.Halt {
		return replayed.goal(cfg)
	}
	if cfg.Schedule == nil {
		cfg.Schedule = new(ring.Schedule)
	}
	cfg.Schedule.Holds = p.HoldFor
	for _, line := range p.Lines {
		cfg.Schedule.Lines = append(cfg.Schedule.Lines, line.First(p.Lines))
	}
	return &live.Goal{
		Reached: func(run *launch.Run) bool { return run.Progress().Met },
		Words:   "at " + wording.List(p.HaltAt),
	}
}

// unwatched is for operations that nothing is checked on.
type unwatched struct{}

// Op implements op.Watcher.
func (unwatched) Op(*op.Op) {}

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
