package running

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// SteppedProgram is a program under control of a dialogue.
//
//	dialogue ── order ──► judge: resume … is the goal reached? … halt
//	    ▲                   │  on the goroutine that delivers events
//	    └────── stop ◄──────┘
//
// One of the two goroutines always waits for the other one, so their shared data need no lock.
type SteppedProgram struct {
	memory   context.Context   // ends when the memory for the run is used up
	Terminal *console.Terminal // of the dialogue; nil without one
	// ctrl-C at the terminal; nil without one
	interrupts <-chan os.Signal
	launched   *launch.Run
	connection *halt.Connection
	kill       context.CancelFunc

	states   *tracemodel.LiveRun // nil before the header
	events   int
	unjudged bool // there are events since the last call of the goal

	goal    *Goal         // initially nil: the program is halted as soon as its header is read
	since   time.Time     // when the program resumed
	late    bool          // the time is over
	broken  atomic.Bool   // the user has interrupted the step
	active  time.Time     // when the last record came, or the program resumed
	peek    time.Duration // how long without records before the next look
	looking bool          // the program is being halted for a look
	others  bool          // all are held except the goroutines in held
	held    []uint64      // the held goroutines, or the exceptions
	left    bool          // the dialogue has ended
	halt    *halt.Attempt // nil unless under way
	asked   *control.Session
	orders  chan *Goal // goals of the dialogue; closed at its end
	stops   chan Stop
	over    chan struct{} // closed when the program has ended and everything is read
	ended   launch.Result // set before over is closed
	lost    error         // the reason if not everything was read
	leave   Decision      // set before orders is closed
}

// NewSteppedProgram returns a program that is not started. The end of memory means that the run has
// used up its memory.
func NewSteppedProgram(memory context.Context, interrupts <-chan os.Signal) *SteppedProgram {
	return &SteppedProgram{
		interrupts: interrupts,
		memory:     memory, connection: halt.NewConnection(),
		orders: make(chan *Goal), stops: make(chan Stop), over: make(chan struct{}),
	}
}

// Start starts the program.
func (p *SteppedProgram) Start(ctx context.Context, cfg launch.Config) error {
	ctx, p.kill = context.WithCancel(ctx)
	cfg.Header, cfg.Event, cfg.Judge, cfg.Control, cfg.Exact = p.begin, p.add, p.judge, true, true
	cfg.Ring.Busy = math.MaxInt64 // the user may examine the halted program for any time
	run, err := launch.Start(ctx, cfg)
	if err != nil {
		p.kill()
		return err
	}
	p.launched = run
	go p.connection.Open(ctx, run)
	return nil
}

// begin receives the header.
func (p *SteppedProgram) begin(h *event.Header) (err error) {
	p.states, err = tracemodel.NewLive(h)
	return err
}

// add receives an event.
func (p *SteppedProgram) add(e *event.Event) error {
	if p.memory.Err() != nil {
		return p.giveUp(&limits.ReadStoppedError{Events: p.events, Cause: context.Cause(p.memory)})
	}
	p.events++
	p.unjudged = true
	return p.giveUp(p.states.AddFrom(e, p))
}

// giveUp ends the program on an error, since it cannot be observed any more.
func (p *SteppedProgram) giveUp(err error) error {
	if err != nil {
		p.kill()
	}
	return err
}

// Pos returns the position of the last event.
func (p *SteppedProgram) Pos() string { return fmt.Sprintf("event %d of the program", p.events) }

// judge halts the program when the goal is reached.
func (p *SteppedProgram) judge(run *launch.Run, idle bool) error { return p.giveUp(p.watch(run, idle)) }

func (p *SteppedProgram) watch(run *launch.Run, idle bool) error {
	if !idle {
		p.active, p.peek = time.Now(), firstPeek
	}
	switch {
	case p.left:
	case p.halt == nil && p.enough():
		p.halt = p.connection.Halt(run)
	case p.halt == nil && p.lookIsDue():
		p.looking, p.halt = true, p.connection.Halt(run)
	case p.halt == nil:
		return p.hold()
	case !p.halt.IsOver():
		p.halt.Poll()
	case idle:
		return p.awaitOrder()
	}
	return nil
}

// firstPeek is the time without records after which the program is first looked at. It doubles with
// each look.
const firstPeek = 50 * time.Millisecond

// lookIsDue reports whether a look is due.
func (p *SteppedProgram) lookIsDue() bool {
	return p.goal != nil && p.goal.Look != nil && len(p.held) > 0 && time.Since(p.active) >= p.peek
}

// enough reports whether the program is to be halted.
func (p *SteppedProgram) enough() bool {
	if p.goal == nil {
		return p.events > 0
	}
	if p.unjudged && p.goal.Reached() {
		return true
	}
	p.late = time.Since(p.since) >= p.goal.Time
	return p.late || p.broken.Load()
}

// hold pauses the goroutines that the goal selects.
func (p *SteppedProgram) hold() error {
	if p.goal == nil {
		return nil
	}
	p.unjudged = false
	others, names := p.goal.Held()
	var ctxs []uint64
	for _, name := range names {
		if ctx := p.launched.Goroutine(name); ctx != 0 && !slices.Contains(ctxs, ctx) {
			ctxs = append(ctxs, ctx)
		}
	}
	if others == p.others && slices.Equal(ctxs, p.held) {
		return nil
	}
	p.others, p.held = others, ctxs
	return p.launched.Hold(others, ctxs...)
}

// awaitOrder reports the halt to the dialogue, and obeys its next order.
func (p *SteppedProgram) awaitOrder() error {
	switch {
	case p.halt.HasEnded():
		return nil
	case p.halt.Err() != nil:
		return p.halt.Err()
	}
	p.asked = p.halt.Session()
	looks := p.looking
	if p.looking = false; looks && !p.enough() {
		return p.lookAtOthers()
	}
	why := Halted
	switch {
	case p.broken.Load():
		why = Interrupted
	case p.late:
		why = Late
	}
	p.stops <- why
	goal, more := <-p.orders
	p.halt, p.late, p.left = nil, false, !more
	switch {
	case !more && p.leave == Detach:
		return halt.IgnoreEnd(p.asked.Detach())
	case !more:
		p.kill()
		return nil
	}
	p.goal, p.since = goal, time.Now()
	p.active, p.peek = p.since, firstPeek
	return p.resume()
}

// lookAtOthers passes the states of goroutines to the goal, and resumes the program.
func (p *SteppedProgram) lookAtOthers() error {
	p.halt, p.peek = nil, 2*p.peek
	tasks, err := p.asked.Tasks()
	if err != nil {
		return halt.IgnoreEnd(err)
	}
	p.goal.Look(time.Since(p.active), slices.DeleteFunc(tasks, func(t control.Task) bool {
		return p.others != slices.Contains(p.held, t.Ctx)
	}))
	return p.resume()
}

func (p *SteppedProgram) resume() error {
	if err := p.hold(); err != nil {
		return err
	}
	return halt.IgnoreEnd(p.asked.Resume())
}

// Wait waits until the program has ended and everything is read.
func (p *SteppedProgram) Wait() error {
	p.ended, p.lost = p.launched.Wait()
	close(p.over)
	p.kill()
	return p.lost
}

// Await waits for the program to halt, and returns the reason. The dialogue calls it.
func (p *SteppedProgram) Await() (Stop, error) {
	for {
		select {
		case s := <-p.stops:
			return s, nil
		case <-p.over:
			return Ended, p.lost
		case <-p.interrupts:
			p.interrupt()
		}
	}
}

// interrupt ends the step at the first ctrl-C. Further ones are for the program, which may not have
// received the first.
func (p *SteppedProgram) interrupt() {
	if p.broken.CompareAndSwap(false, true) {
		return
	}
	// A pending signal would merge with another one, so the program has to receive both. The
	// program may have ended.
	_ = p.launched.TakeInterrupts(false)
	if process, err := os.FindProcess(p.PID()); err == nil {
		_ = process.Signal(os.Interrupt)
	}
}

// Run implements Program.
func (p *SteppedProgram) Run() *tracemodel.LiveRun { return p.states }

// Go implements Program.
func (p *SteppedProgram) Go(g *Goal) (Stop, error) {
	if p.Ending() != "" {
		return Ended, nil
	}
	if p.Terminal == nil {
		return p.goOn(g)
	}
	// Meanwhile the terminal belongs to the program, in its usual mode. Antichain takes the first
	// ctrl-C if the program is running.
	_ = p.launched.TakeInterrupts(true)
	if err := p.Terminal.Release(); err != nil {
		return Halted, err
	}
	stop, err := p.goOn(g)
	return stop, errors.Join(err, p.Terminal.Take())
}

func (p *SteppedProgram) goOn(g *Goal) (Stop, error) {
	p.broken.Store(false)
	select {
	case p.orders <- g:
	case <-p.over:
	}
	return p.Await()
}

// End passes the decision after the dialogue.
func (p *SteppedProgram) End(d Decision) {
	p.leave = d
	close(p.orders)
}

// Ending implements Program.
func (p *SteppedProgram) Ending() string {
	select {
	case <-p.over:
		return fmt.Sprintf("the program has ended, with exit code %d", p.ended.ExitCode)
	default:
		return ""
	}
}

// PID implements Program.
func (p *SteppedProgram) PID() int { return p.launched.PID() }

// Tasks implements Program.
func (p *SteppedProgram) Tasks() ([]control.Task, error) { return p.asked.Tasks() }

// TaskName implements Program.
func (p *SteppedProgram) TaskName(ctx uint64) string { return p.launched.TaskName(ctx) }

// DisplayName implements Program.
func (p *SteppedProgram) DisplayName(ctx uint64) string { return p.launched.DisplayName(ctx) }
