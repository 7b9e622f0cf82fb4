package execution

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
)

// LoadSchedule reads a schedule file.
func LoadSchedule(file string) (*schedule.Schedule, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := schedule.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func (r *runner) program() (*schedule.Program, error) { return r.Program(r.binary) }

// Program returns what a binary is made of.
func (p *Plan) Program(binary string) (*schedule.Program, error) {
	code, err := exe.Open(binary, exe.Options{Root: p.Build.Root})
	if err != nil {
		return nil, err
	}
	sites, err := instrument.TableOf(binary)
	return &schedule.Program{Executable: code, Sites: sites}, err
}

// replay has the program keep the schedule of a file.
type replay struct {
	schedule *schedule.Schedule // what of it fits the program
	changes  []string           // what has moved since, or is no more
	halt     int                // behind so many steps the program is halted, 0: it is not
	ends     *replayBound       // nil: it ends by itself
}

// startReplay makes a run keep the schedule that the plan names, and returns it; nil if it names
// none. An order that was made of another run is kept without a word.
func (r *runner) startReplay(run *run) (*replay, error) {
	switch {
	case r.Reversed != nil:
		return nil, r.reverse(run)
	case r.Prefix != nil:
		return nil, r.keepPrefix(run)
	case r.Replay == "":
		return nil, nil
	}
	s, err := LoadSchedule(r.Replay)
	if err != nil {
		return nil, err
	}
	if s.Keep.Seed != 0 {
		run.Seed = s.Keep.Seed
		return &replay{schedule: s}, nil
	}
	program, err := r.program()
	if err != nil {
		return nil, err
	}
	kept := &replay{schedule: s, changes: s.Find(run.checker.Style.Source)}
	kept.changes = append(kept.changes, s.Fit(program)...)
	if len(s.Steps) == 0 {
		return nil, fmt.Errorf("%s: no step of the schedule fits this program any more: %w", r.Replay, errOtherProgram)
	}
	if run.Schedule, err = s.Compile(program, s.Keep); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Replay, err)
	}
	return kept, nil
}

// errOtherProgram says what may be wrong with a schedule.
var errOtherProgram = errors.New("it may belong to another program; --confirm writes a new one")

// keepPrefix makes a run begin with the steps that the plan names, and nothing else. If a line has
// no code the run is as it is.
func (r *runner) keepPrefix(run *run) error {
	program, err := r.program()
	if err != nil {
		return err
	}
	if run.Schedule, err = r.Prefix.Compile(program, r.Prefix.Keep); err == nil {
		run.Schedule.Alone = true
	}
	return nil
}

// setGoal has the program stop where the schedule leads, and returns where that is.
func (r *replay) setGoal(kept *ring.Schedule) *live.Goal {
	r.halt = r.schedule.HaltBehind()
	kept.Halt = r.halt
	return &live.Goal{
		Reached: func(run *launch.Run) bool { return run.Progress().Done >= r.halt },
		Words:   fmt.Sprintf("behind step %d of %d of the schedule", r.halt, len(r.schedule.Steps)),
	}
}

// write says what became of the schedule.
func (r *replay) write(w io.Writer, ended *launch.Result) {
	if r == nil {
		return
	}
	for _, c := range r.changes {
		fmt.Fprintln(w, "antichain: the schedule:", event.Printable(c))
	}
	steps := r.schedule.Steps
	switch done := ended.Kept.Done; {
	case r.schedule.Keep.Seed != 0:
		fmt.Fprintf(w, "antichain: the schedule: that of seed %d\n", r.schedule.Keep.Seed)
	case r.halt > 0 && done >= r.halt:
		fmt.Fprintf(w, "antichain: the schedule was kept up to step %d of %d, where the program was halted\n", r.halt, len(steps))
	case done == len(steps):
		fmt.Fprintf(w, "antichain: the schedule was kept: %s\n", wording.Plural(done, "step"))
	default:
		fmt.Fprintf(w, "antichain: the schedule was not kept: %s\n", event.Printable(r.missedText(ended.Kept)))
	}
	if ended.Kept.Ahead > 0 {
		fmt.Fprintf(w, "antichain: the clock of the program was moved on by %s\n",
			ended.Kept.Ahead.Round(time.Millisecond))
	}
	if why := r.ends.text(); why != "" {
		fmt.Fprintf(w, "antichain: antichain has ended the tests: %s\n", why)
	}
}
