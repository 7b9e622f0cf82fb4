// Package live checks properties while their program runs, and halts the program at a violation.
//
// The program was started for the check, or it was started by others and waits for a checker. A
// person at the terminal decides how the halted program continues. Without a terminal the flags
// decide.
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// livePercent lets the garbage collector wait until the heap is three times as large as what is in
// use: its work is taken from the program. Near the limit of --memory it works harder.
const livePercent = 200

// Session checks properties while their program runs, and halts it when one is violated.
//
//	program ══ ring ══► begin, add … judge, add … judge      on the goroutine that delivers
//	   ▲                               │ violated
//	   └── halt (control.Session) ◄────┘ report, decide
//
// Events added between two calls of judge are a version. While the program is being halted, events
// are still received, which the halt depends on, but not checked.
type Session struct {
	*monitor.Run        // nil before the header
	name, root   string // of the run in reports; directory that positions are relative to
	pkg          string // the specification's package
	monitor      *monitor.Monitor
	recorder     *recording.Recorder // keeps the trace, and counts events
	decide       func(*haltedProgram) decision
	launch       func(context.Context, launch.Config) (*launch.Run, error) // or attaches
	process      *Process                                                  // if attached
	builtins     *findings.Watch                                           // nil if unchecked
	hang         *hang.Watch                                               // nil with builtins
	// their violations halt the program also if they are predicted
	predicted   bool
	notes       io.Writer // for what a person is to know at once
	interactive bool      // decide asks a person
	// where the program is halted, instead of at violations; nil if at these
	goal *Goal

	connection *halt.Connection
	kill, stop func()      // end the program, the checking
	interrupt  func(error) // ends the checking a little later

	fresh bool                  // there are events that were not judged
	found []*onthefly.Violation // not reported yet
	alarm []*tlcheck.Result     // reported violations of built-in properties that halt the program
	halt  *halt.Attempt         // under way, else nil
	over  error                 // why nothing is checked any more
	cut   error                 // why events come no more, if not because the program has ended

	passed  []*tlcheck.Result // violations on the way to the goal
	arrived bool              // at the goal, and the program was halted there, or is to be

	wanted atomic.Bool // the user wants the program halted
}

// Goal is where a program is halted, once, whatever is violated before.
type Goal struct {
	Reached func(*launch.Run) bool
	Words   string // where that is: "behind the last step of the schedule"
}

// haltedProgram is a program that stands still because of a violation, which has been reported. It
// is valid until the decision.
type haltedProgram struct {
	*control.Session // to look at its goroutines and variables, and change these; resumes by itself

	Net        *san.Net // of all that has happened: its newest slice is where the program stands
	Violations []*tlcheck.Result
	TaskName   func(ctx uint64) string // by number in the session; "" if it is no task
	// what reports call a goroutine
	DisplayName func(ctx uint64) string
	place       string // as text behind a space; "" if the violations show it
	host        func(context.Context) (*control.Host, error)
}

// decision is how a halted program continues. The zero value resumes it; violated properties are
// checked no more.
type decision struct {
	end    error // why the program ends here, if it does
	detach bool  // it goes on, and nothing is checked any more

	// It goes on, and these are checked instead of what was, on what happens from here on.
	replace []*spec.Property
}

// errEnded is why nothing is known of a run that the user has ended.
var errEnded = errors.New("the program was ended in the dialogue")

// errBroken is why a run is cut off whose program others have started: how it ended is known to
// them.
var errBroken = errors.New("broken off")

// errReplaced is why nothing more is known of properties.
var errReplaced = errors.New("another specification took its place before it was decided")

// errNothingLeft says that every property is violated.
var errNothingLeft = errors.New("there is nothing left to check")

// NewSession returns a session that checks as the monitor says, and lets the recorder keep the
// trace.
func NewSession(name string, m *monitor.Monitor, r *recording.Recorder) *Session {
	l := &Session{name: name, monitor: m, recorder: r, launch: launch.Start, connection: halt.NewConnection()}
	l.decide = l.decideUnattended
	return l
}

// HaltAt makes the program halt at a goal. Violations are reported, and do not halt it. Without a
// user at the terminal it stays halted until one attaches from another terminal, as notes says.
func (l *Session) HaltAt(g *Goal, notes io.Writer) {
	l.goal, l.notes = g, notes
	if !l.interactive {
		l.decide = l.awaitVisitor
	}
}

// Watch has the program halted for violations of built-in properties too, goroutines that wait for
// ever among them. Both watches are nil if none are checked.
func (l *Session) Watch(w *findings.Watch, h *hang.Watch, when Flag) {
	l.builtins, l.hang, l.predicted = w, h, when.Predicted
	if h == nil {
		return
	}
	h.Report = func(names op.Names, found []builtin.Finding) {
		if l.over == nil && l.Run != nil {
			l.announce(w.Reported(&l.monitor.Checker, names, found))
		}
	}
}

// Start starts the program. The memory that the checker may hold is used up when that context
// ends.
func (l *Session) Start(ctx, memory context.Context, cfg launch.Config) (*launch.Run, error) {
	ctx, l.kill = context.WithCancel(ctx)
	l.monitor.Reading, l.interrupt = context.WithCancelCause(memory)
	l.monitor.Checking, l.stop = interrupt.After(l.monitor.Reading, interrupt.LastWork)
	// If the reader of our reports is gone, that must not end us before the program, which would go
	// on.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	cfg.Header, cfg.Event, cfg.Judge, cfg.Control = l.begin, l.add, l.judge, true
	l.hang.Configure(&cfg)
	cfg.Sparse = cfg.Sparse && !l.interactive // a person may want something else checked later
	cfg.Ring.Busy = math.MaxInt64             // a user may take any time at the halted program
	debug.SetGCPercent(livePercent)
	l.root, l.pkg = cfg.Root, cfg.Table.Package
	run, err := l.launch(ctx, cfg)
	if err != nil {
		l.close()
		return nil, err
	}
	go l.connection.Open(ctx, run)
	go func() { // until then an interrupt is for the program, or halts it
		<-run.Exited()
		ctx, stop := interrupt.Context(ctx)
		defer stop()
		<-ctx.Done()
		l.interrupt(context.Cause(ctx))
	}()
	return run, nil
}

// close frees what start has taken; a program that still runs ends.
func (l *Session) close() {
	l.kill()
	l.stop()
	l.interrupt(nil)
}

// begin is given the header.
func (l *Session) begin(h *event.Header) error {
	err := l.recorder.Begin(h)
	if err == nil {
		l.Run, err = l.monitor.BeginRun(l.name, h)
	}
	return err
}

// add is given an event.
func (l *Session) add(e *event.Event) error {
	if err := l.recorder.Add(e); err != nil || l.over != nil || !e.IsAction() {
		return err
	}
	l.fresh = true
	return l.AddFrom(e, l.recorder)
}

// judge checks the events so far, and halts the program at a violation. When judge returns, the
// program has been resumed, unless it had been ordered to halt before.
func (l *Session) judge(run *launch.Run, idle bool) error {
	if l.halt == nil {
		l.check(run.Names())
	}
	switch {
	case !l.isToHalt(run):
	case l.halt == nil:
		l.halt = l.connection.Halt(run)
	case !l.halt.IsOver():
		l.halt.Poll()
	case idle:
		if l.goal != nil {
			l.check(run.Names()) // events may have come while it was being halted
		}
		return l.onHalt()
	}
	return nil
}

// check checks the events so far.
func (l *Session) check(names op.Names) {
	if l.over == nil && l.fresh {
		l.fresh = false
		if l.found, l.over = l.NewViolations(); l.over != nil {
			l.Checker = nil // its memory is wanted elsewhere, and the program goes on
			l.sayUnchecked()
		}
	}
	if l.over == nil && l.Run != nil {
		l.lookAtBuiltins(names)
	}
}

// isToHalt reports whether the program is to be halted, or that is under way.
func (l *Session) isToHalt(run *launch.Run) bool {
	if l.goal == nil {
		return len(l.found)+len(l.alarm) > 0 || l.haltRequested()
	}
	if l.halt != nil || l.Run == nil {
		return l.halt != nil
	}
	l.passed = append(append(l.passed, l.reportFound()...), l.alarm...)
	l.alarm = nil
	comes := !l.arrived && l.goal.Reached(run)
	l.arrived = l.arrived || comes
	return comes
}

// lookAtBuiltins reports what is certain of built-in properties, and sees to it that the program is
// halted for that.
func (l *Session) lookAtBuiltins(names op.Names) {
	l.announce(l.builtins.Certain(&l.monitor.Checker, names))
}

// announce reports results, and sees to it that the program is halted for them.
func (l *Session) announce(results []*tlcheck.Assessment) {
	for _, r := range results {
		l.monitor.ReportAssessment(l.name, r)
		if r.Verdict == tlcheck.Violated && r.IsNews() && (l.predicted || r.How() == builtin.Observed) {
			l.alarm = append(l.alarm, r.Result)
		}
	}
}

// sayUnchecked says that the memory is used up as soon as it is: the program may go on for ever,
// and verdicts come at its end.
func (l *Session) sayUnchecked() {
	if memory, ok := errors.AsType[*budget.MemoryError](l.over); ok {
		fmt.Fprintf(l.monitor.Stderr, "antichain: %v: the program continues unchecked\n", memory)
	}
}

// canBeAsked reports whether an interrupt can have the program halted.
func (l *Session) canBeAsked() bool { return l.process != nil && l.interactive }

// haltRequested reports whether the user wants to halt the program, and there is something to look
// at.
func (l *Session) haltRequested() bool { return l.wanted.Load() && l.Run != nil && l.over == nil }

// onHalt reports on the program that stands still, and does what is decided about it.
func (l *Session) onHalt() error {
	switch {
	case l.halt.HasEnded():
		return nil // conclude says so
	case l.halt.Err() != nil:
		return l.onHaltFailed(l.halt.Err())
	}
	session := l.halt.Session()
	l.wanted.Store(false)
	if l.over != nil { // it has stopped by itself at the goal, and nothing is known of it any more
		l.halt = nil
		return halt.IgnoreEnd(session.Resume())
	}
	d := l.decide(l.haltedProgram())
	l.halt = nil
	switch {
	case d.end != nil && l.process != nil:
		l.over = d.end
		return l.process.end()
	case d.end != nil:
		l.over = d.end
		l.kill()
		return nil
	case d.detach:
		l.cut = monitor.ErrDetached
		fmt.Fprintln(l.monitor.Stderr, "antichain: detached: the program continues untraced")
		return halt.IgnoreEnd(session.Detach())
	case d.replace != nil:
		if err := l.restart(d.replace); err != nil {
			return err
		}
	}
	if len(l.OnTheFly)+len(l.Postponed) == 0 && l.builtins == nil && !l.canBeAsked() {
		l.over = errNothingLeft
	}
	return halt.IgnoreEnd(session.Resume())
}

// haltedProgram is the program that stands still.
func (l *Session) haltedProgram() *haltedProgram {
	h := &haltedProgram{
		Session: l.halt.Session(), Net: l.Net(), Violations: slices.Concat(l.passed, l.reportFound(), l.alarm),
		TaskName: l.halt.TaskName, DisplayName: l.halt.DisplayName, host: l.halt.Host,
	}
	l.alarm, l.passed = nil, nil
	if l.goal != nil {
		h.place = " " + l.goal.Words
	}
	return h
}

// onHaltFailed reports that the program cannot be halted, and gives it up: a goroutine that finds
// the order to halt in the ring would wait for ever.
func (l *Session) onHaltFailed(err error) error {
	l.reportFound()
	l.alarm = nil
	l.over = errors.New("the program could not be halted")
	fmt.Fprintln(l.monitor.Stderr, "antichain: the program could not be halted, and continues unchecked")
	return err
}

// restart has the checker check other properties, which were admitted before, on the rest of the
// run. Those that have no verdict so far get none.
func (l *Session) restart(properties []*spec.Property) error {
	k := l.monitor.Kinds(l.Net().Header(), properties)
	if err := k.Err(); err != nil {
		return err
	}
	fresh, err := l.Checker.Restart(k.OnTheFly)
	if err != nil {
		return err
	}
	l.GiveUp(errReplaced)
	l.Checker, l.OnTheFly, l.Postponed, l.monitor.Properties = fresh, k.OnTheFly, k.Postponed, properties
	l.monitor.Style.Again = "" // it has the other specification
	l.monitor.AskAll(l.name)
	return nil
}

// decideUnattended decides where there is no user to ask.
func (l *Session) decideUnattended(h *haltedProgram) decision {
	m := l.monitor
	if len(h.Violations) == 0 {
		return decision{detach: true} // after an interrupt
	}
	if !m.JSON {
		if err := h.write(m.Stdout, l.root); err != nil {
			m.ReportError(err)
		}
	}
	switch {
	case m.KeepGoing:
		if !m.JSON {
			fmt.Fprintln(m.Stdout, "It continues; violated properties are not checked any more.")
		}
		return decision{}
	case l.process != nil:
		return decision{detach: true}
	}
	return decision{end: monitor.ErrFirst}
}

// write writes where the goroutines are.
func (h *haltedProgram) write(w io.Writer, root string) error {
	tasks, err := h.Tasks()
	if err != nil {
		return err
	}
	all := make([]halt.Goroutine, len(tasks))
	for i, t := range tasks {
		name := h.TaskName(t.Ctx)
		all[i] = halt.Goroutine{Task: t, Name: name, Display: h.DisplayName(t.Ctx), Involved: h.involves(name)}
	}
	fmt.Fprintf(w, "The program is halted%s:\n", h.place)
	err = halt.WriteGoroutines(w, all, root)
	fmt.Fprintln(w)
	return err
}

// involves reports whether a violation is about the task of that name.
func (h *haltedProgram) involves(name string) bool {
	for _, v := range h.Violations {
		if v.Finding != nil {
			if slices.ContainsFunc(v.Finding.Parties, func(p builtin.Party) bool { return v.Names.Task(p.Task).Name == name }) {
				return true
			}
			continue
		}
		for _, b := range v.Witness.TIVA {
			if h.Net.Name(b.Task) == name {
				return true
			}
		}
	}
	return false
}

// reportFound reports the violations that were found since the last call.
func (l *Session) reportFound() []*tlcheck.Result {
	var reported []*tlcheck.Result
	for _, v := range l.found {
		if result := v.Result(l.Net()); l.ReportViolation(result) {
			reported = append(reported, result)
		}
	}
	l.found = nil
	return reported
}

// Await waits for the end of the program, keeps its trace, and reports the other verdicts.
func (l *Session) Await(run *launch.Run) *launch.Result {
	ended := l.await(run)
	l.conclude(ended)
	return ended
}

// await waits for the end of the program, and keeps its trace.
func (l *Session) await(run *launch.Run) *launch.Result {
	ended := l.recorder.Await(run, &l.monitor.Checker)
	l.hang.Conclude(run.Names())
	return ended
}

// conclude reports the other verdicts when the program has ended.
func (l *Session) conclude(ended *launch.Result) {
	defer l.close()
	if l.Run == nil {
		l.monitor.ReportError(recording.ErrNoEvents)
		l.monitor.Refuse(l.name, recording.ErrNoEvents.Error())
		return
	}
	if useless := l.useless(ended); useless != nil {
		for _, v := range l.found {
			l.OnTheFly = append(l.OnTheFly, v.Property)
		}
		l.GiveUp(useless)
		return
	}
	reported := l.reportFound()
	var err error
	l.found, err = l.NewViolations()
	if reported = append(append(reported, l.reportFound()...), l.alarm...); len(reported) > 0 {
		fmt.Fprintln(l.monitor.Stderr, "antichain: the program had ended before it could be halted")
	}
	if err != nil {
		l.GiveUp(err)
		return
	}
	cut := l.cut
	switch {
	case cut != nil:
	case ended.Signal != 0:
		cut = &monitor.SignalError{Signal: ended.Signal}
	case ended.Broken:
		cut = errBroken
	}
	// Its error says that something was violated, which ends nothing here.
	_ = l.Run.Close(cut)
}

// useless says why there are no further verdicts, nil if there are.
func (l *Session) useless(ended *launch.Result) error {
	switch {
	case l.over != nil:
		return l.over
	case !ended.Complete:
		return errors.New("the trace was not read to its end")
	case ended.Missing > 0:
		return errors.New(findings.Missing(ended))
	}
	return nil
}
