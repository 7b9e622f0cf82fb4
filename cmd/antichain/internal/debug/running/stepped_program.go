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

// SteppedProgram is a program that goes as far as a dialogue says.
//
//	dialogue ── order ──► judge: resume … is the goal reached? … halt
//	    ▲                   │  on the goroutine that delivers events
//	    └────── stop ◄──────┘
//
// One of the two goroutines waits for the other at any time, so what they share needs no lock.
type SteppedProgram struct {
	memory   context.Context   // ends when there is no more memory for the run
	Terminal *console.Terminal // of the dialogue, nil without one
	// ctrl-C of the person at the terminal; nil without one
	interrupts <-chan os.Signal
	launched   *launch.Run
	connection *halt.Connection
	kill       context.CancelFunc

	states *tracemodel.LiveRun // nil before the header
	events int
	fresh  bool // there are events that the goal was not asked about

	goal   *Goal         // nil at first: the program is halted as soon as anything is known of it
	since  time.Time     // when the program went on
	late   bool          // its time is over
	broken atomic.Bool   // the person has interrupted it
	active time.Time     // when something has come, or the program went on
	peek   time.Duration // how long nothing comes before somebody looks why
	looks  bool          // the program is being halted for that
	others bool          // who is held: all but those
	held   []uint64      // or those
	left   bool          // the dialogue has ended
	halt   *halt.Attempt // under way, else nil
	asked  *control.Session
	orders chan *Goal // to go on; closed when the dialogue has ended
	stops  chan Stop
	over   chan struct{} // closed when the program has ended and all is read
	ended  launch.Result // then
	lost   error         // why less than all is read, if so
	leave  Decision      // when orders is closed
}

// NewSteppedProgram returns a program that has yet to be started. The memory that its run may take is used up when that
// context ends.
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
	cfg.Ring.Busy = math.MaxInt64 // a person may look at the halted program for as long as they like
	run, err := launch.Start(ctx, cfg)
	if err != nil {
		p.kill()
		return err
	}
	p.launched = run
	go p.connection.Open(ctx, run)
	return nil
}

// begin is given the header.
func (p *SteppedProgram) begin(h *event.Header) (err error) {
	p.states, err = tracemodel.NewLive(h)
	return err
}

// add is given an event.
func (p *SteppedProgram) add(e *event.Event) error {
	if p.memory.Err() != nil {
		return p.giveUp(&limits.ReadStoppedError{Events: p.events, Cause: context.Cause(p.memory)})
	}
	p.events++
	p.fresh = true
	return p.giveUp(p.states.AddFrom(e, p))
}

// giveUp ends a program that nobody can follow any more, if there is an error.
func (p *SteppedProgram) giveUp(err error) error {
	if err != nil {
		p.kill()
	}
	return err
}

// Pos says which event was read last.
func (p *SteppedProgram) Pos() string { return fmt.Sprintf("event %d of the program", p.events) }

// judge sees to it that the program is halted where the goal is reached.
func (p *SteppedProgram) judge(run *launch.Run, idle bool) error { return p.giveUp(p.watch(run, idle)) }

func (p *SteppedProgram) watch(run *launch.Run, idle bool) error {
	if !idle {
		p.active, p.peek = time.Now(), firstPeek
	}
	switch {
	case p.left:
	case p.halt == nil && p.enough():
		p.halt = p.connection.Halt(run)
	case p.halt == nil && p.quiet():
		p.looks, p.halt = true, p.connection.Halt(run)
	case p.halt == nil:
		return p.hold()
	case !p.halt.IsOver():
		p.halt.Poll()
	case idle:
		return p.stand()
	}
	return nil
}

// firstPeek is how long nothing comes before somebody looks why; then twice as long, and so on.
const firstPeek = 50 * time.Millisecond

// quiet reports whether somebody is to look why nothing comes.
func (p *SteppedProgram) quiet() bool {
	return p.goal != nil && p.goal.Look != nil && len(p.held) > 0 && time.Since(p.active) >= p.peek
}

// enough reports whether the program is to be halted.
func (p *SteppedProgram) enough() bool {
	if p.goal == nil {
		return p.events > 0
	}
	if p.fresh && p.goal.Reached() {
		return true
	}
	p.late = time.Since(p.since) >= p.goal.Time
	return p.late || p.broken.Load()
}

// hold lets those goroutines wait that the goal names.
func (p *SteppedProgram) hold() error {
	if p.goal == nil {
		return nil
	}
	p.fresh = false
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

// stand says that the program stands still, and does what the dialogue wants then.
func (p *SteppedProgram) stand() error {
	switch {
	case p.halt.HasEnded():
		return nil
	case p.halt.Err() != nil:
		return p.halt.Err()
	}
	p.asked = p.halt.Session()
	looks := p.looks
	if p.looks = false; looks && !p.enough() {
		return p.look()
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

// look tells the goal why nothing comes, and lets the program go on.
func (p *SteppedProgram) look() error {
	p.halt, p.peek = nil, 2*p.peek
	tasks, err := p.asked.Tasks()
	if err != nil {
		return halt.IgnoreEnd(err)
	}
	p.goal.Look(time.Since(p.active), slices.DeleteFunc(tasks, func(t control.Task) bool { return p.others != slices.Contains(p.held, t.Ctx) }))
	return p.resume()
}

// resume lets the program go on.
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

// Await returns why the program stands. It is called by the dialogue.
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

// interrupt ends the step at the first ctrl-C. Another one is for the program, which may have taken no notice of it.
func (p *SteppedProgram) interrupt() {
	if p.broken.CompareAndSwap(false, true) {
		return
	}
	// One signal that it has not dealt with yet would swallow another, so it has to take notice of both. It may have ended.
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
	// Meanwhile the terminal is the program's, and what that prints looks as it should; but the first ctrl-C is ours, if the
	// program is there.
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

// End tells what becomes of the program when the dialogue is over.
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
