package main

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
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug/running"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/control"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
)

// led is a program that goes as far as a dialogue says.
//
//	dialogue ── order ──► judge: resume … is the goal reached? … halt
//	    ▲                   │  on the goroutine that delivers events
//	    └────── stop ◄──────┘
//
// One of the two goroutines waits for the other at any time, so what they share needs no lock.
type led struct {
	memory   context.Context // ends when there is no more memory for the run
	terminal *console.Terminal
	// ctrl-C of the person at the terminal; nil without one
	interrupts <-chan os.Signal
	launched   *launch.Run
	connection *halt.Connection
	kill       context.CancelFunc

	states *tracemodel.Live // nil before the header
	events int
	fresh  bool // there are events that the goal was not asked about

	goal   *running.Goal // nil at first: the program is halted as soon as anything is known of it
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
	orders chan *running.Goal // to go on; closed when the dialogue has ended
	stops  chan running.Stop
	over   chan struct{}    // closed when the program has ended and all is read
	ended  launch.Result    // then
	lost   error            // why less than all is read, if so
	leave  running.Decision // when orders is closed
}

func newLed(memory context.Context, interrupts <-chan os.Signal) *led {
	return &led{
		interrupts: interrupts,
		memory:     memory, connection: halt.NewConnection(),
		orders: make(chan *running.Goal), stops: make(chan running.Stop), over: make(chan struct{}),
	}
}

// start starts the program.
func (l *led) start(ctx context.Context, cfg launch.Config) error {
	ctx, l.kill = context.WithCancel(ctx)
	cfg.Header, cfg.Event, cfg.Judge, cfg.Control, cfg.Exact = l.begin, l.add, l.judge, true, true
	cfg.Ring.Busy = math.MaxInt64 // a person may look at the halted program for as long as they like
	run, err := launch.Start(ctx, cfg)
	if err != nil {
		l.kill()
		return err
	}
	l.launched = run
	go l.connection.Open(ctx, run)
	return nil
}

// begin is given the header.
func (l *led) begin(h *event.Header) (err error) {
	l.states, err = tracemodel.NewLive(h)
	return err
}

// add is given an event.
func (l *led) add(e *event.Event) error {
	if l.memory.Err() != nil {
		return l.giveUp(&limits.UnreadError{Events: l.events, Cause: context.Cause(l.memory)})
	}
	l.events++
	l.fresh = true
	return l.giveUp(l.states.AddFrom(e, l))
}

// giveUp ends a program that nobody can follow any more, if there is an error.
func (l *led) giveUp(err error) error {
	if err != nil {
		l.kill()
	}
	return err
}

// Pos says which event was read last.
func (l *led) Pos() string { return fmt.Sprintf("event %d of the program", l.events) }

// judge sees to it that the program is halted where the goal is reached.
func (l *led) judge(run *launch.Run, idle bool) error { return l.giveUp(l.watch(run, idle)) }

func (l *led) watch(run *launch.Run, idle bool) error {
	if !idle {
		l.active, l.peek = time.Now(), firstPeek
	}
	switch {
	case l.left:
	case l.halt == nil && l.enough():
		l.halt = l.connection.Halt(run)
	case l.halt == nil && l.quiet():
		l.looks, l.halt = true, l.connection.Halt(run)
	case l.halt == nil:
		return l.hold()
	case !l.halt.IsOver():
		l.halt.Poll()
	case idle:
		return l.stand()
	}
	return nil
}

// firstPeek is how long nothing comes before somebody looks why; then twice as long, and so on.
const firstPeek = 50 * time.Millisecond

// quiet reports whether somebody is to look why nothing comes.
func (l *led) quiet() bool {
	return l.goal != nil && l.goal.Look != nil && len(l.held) > 0 && time.Since(l.active) >= l.peek
}

// enough reports whether the program is to be halted.
func (l *led) enough() bool {
	if l.goal == nil {
		return l.events > 0
	}
	if l.fresh && l.goal.Reached() {
		return true
	}
	l.late = time.Since(l.since) >= l.goal.Time
	return l.late || l.broken.Load()
}

// hold lets those goroutines wait that the goal names.
func (l *led) hold() error {
	if l.goal == nil {
		return nil
	}
	l.fresh = false
	others, names := l.goal.Held()
	var ctxs []uint64
	for _, name := range names {
		if ctx := l.launched.Goroutine(name); ctx != 0 && !slices.Contains(ctxs, ctx) {
			ctxs = append(ctxs, ctx)
		}
	}
	if others == l.others && slices.Equal(ctxs, l.held) {
		return nil
	}
	l.others, l.held = others, ctxs
	return l.launched.Hold(others, ctxs...)
}

// stand says that the program stands still, and does what the dialogue wants then.
func (l *led) stand() error {
	switch {
	case l.halt.HasEnded():
		return nil
	case l.halt.Err() != nil:
		return l.halt.Err()
	}
	l.asked = l.halt.Session()
	looks := l.looks
	if l.looks = false; looks && !l.enough() {
		return l.look()
	}
	why := running.Halted
	switch {
	case l.broken.Load():
		why = running.Interrupted
	case l.late:
		why = running.Late
	}
	l.stops <- why
	goal, more := <-l.orders
	l.halt, l.late, l.left = nil, false, !more
	switch {
	case !more && l.leave == running.Detach:
		return halt.IgnoreEnd(l.asked.Detach())
	case !more:
		l.kill()
		return nil
	}
	l.goal, l.since = goal, time.Now()
	l.active, l.peek = l.since, firstPeek
	return l.resume()
}

// look tells the goal why nothing comes, and lets the program go on.
func (l *led) look() error {
	l.halt, l.peek = nil, 2*l.peek
	tasks, err := l.asked.Tasks()
	if err != nil {
		return halt.IgnoreEnd(err)
	}
	l.goal.Look(time.Since(l.active), slices.DeleteFunc(tasks, func(t control.Task) bool { return l.others != slices.Contains(l.held, t.Ctx) }))
	return l.resume()
}

// resume lets the program go on.
func (l *led) resume() error {
	if err := l.hold(); err != nil {
		return err
	}
	return halt.IgnoreEnd(l.asked.Resume())
}

// wait waits until the program has ended and everything is read.
func (l *led) wait() error {
	l.ended, l.lost = l.launched.Wait()
	close(l.over)
	l.kill()
	return l.lost
}

// await returns why the program stands. It is called by the dialogue.
func (l *led) await() (running.Stop, error) {
	for {
		select {
		case s := <-l.stops:
			return s, nil
		case <-l.over:
			return running.Ended, l.lost
		case <-l.interrupts:
			l.interrupt()
		}
	}
}

// interrupt ends the step at the first ctrl-C. Another one is for the program, which may have taken no notice of it.
func (l *led) interrupt() {
	if l.broken.CompareAndSwap(false, true) {
		return
	}
	// One signal that it has not dealt with yet would swallow another, so it has to take notice of both. It may have ended.
	_ = l.launched.TakeInterrupts(false)
	if p, err := os.FindProcess(l.PID()); err == nil {
		_ = p.Signal(os.Interrupt)
	}
}

// Run implements running.Program.
func (l *led) Run() *tracemodel.Live { return l.states }

// Go implements running.Program.
func (l *led) Go(g *running.Goal) (running.Stop, error) {
	if l.Ending() != "" {
		return running.Ended, nil
	}
	if l.terminal == nil {
		return l.goOn(g)
	}
	// Meanwhile the terminal is the program's, and what that prints looks as it should; but the first ctrl-C is ours, if the
	// program is there.
	_ = l.launched.TakeInterrupts(true)
	if err := l.terminal.Release(); err != nil {
		return running.Halted, err
	}
	stop, err := l.goOn(g)
	return stop, errors.Join(err, l.terminal.Take())
}

func (l *led) goOn(g *running.Goal) (running.Stop, error) {
	l.broken.Store(false)
	select {
	case l.orders <- g:
	case <-l.over:
	}
	return l.await()
}

// end tells what becomes of the program when the dialogue is over.
func (l *led) end(d running.Decision) {
	l.leave = d
	close(l.orders)
}

// Ending implements running.Program.
func (l *led) Ending() string {
	select {
	case <-l.over:
		return fmt.Sprintf("the program has ended, with exit code %d", l.ended.ExitCode)
	default:
		return ""
	}
}

// PID implements running.Program.
func (l *led) PID() int { return l.launched.PID() }

// Tasks implements running.Program.
func (l *led) Tasks() ([]control.Task, error) { return l.asked.Tasks() }

// TaskName implements running.Program.
func (l *led) TaskName(ctx uint64) string { return l.launched.TaskName(ctx) }
