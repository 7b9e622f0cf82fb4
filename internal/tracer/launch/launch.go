//go:build unix

package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Run is a running program.
type Run struct {
	cfg      Config
	dir      string // with the ring
	cleanup  func() error
	ring     *ring.Ring
	cmd      *exec.Cmd        // nil if others have started the program
	otherPID int              // its process id in that case
	session  *control.Session // in that case; nil if the program had ended before it answered

	symbols *exe.File
	process *process.Process         // made when the program has attached
	emit    func(*event.Event) error // r.event as a value, made once and not for every record
	watcher *asyncWatcher            // nil without Config.Watch
	started bool                     // the header is delivered
	// function main has begun; only records of operations show that
	running bool
	err     error // of a callback, or of the ring

	attached atomic.Bool  // the program has written its first record, and so its socket exists
	letGo    atomic.Int64 // nanoseconds after its start at which it was let go; 0 if it was not

	timeline *timeline // nil without Config.Watch
	ballast  *ballast
	idle     time.Time // since when there are no records; zero if there are some

	exited chan struct{} // closed when the program has ended, or is traced no more
	done   chan struct{} // closed when all events are delivered
	result Result
	bug    *Bug
}

// Start starts the program. If ctx is cancelled it is killed.
func Start(ctx context.Context, cfg Config) (*Run, error) {
	r := &Run{cfg: cfg, exited: make(chan struct{}), done: make(chan struct{})}
	r.emit, r.ballast = r.event, newBallast()
	opened := make(chan error, 1)
	go func() { // takes as long as the rest
		var err error
		r.symbols, err = exe.Open(cfg.Binary, exe.Options{Root: cfg.Root})
		opened <- err
	}()
	err := r.createRing()
	if unread := <-opened; unread != nil {
		err = errors.Join(fmt.Errorf("traced program: %w", unread), err)
	}
	if err != nil {
		return nil, errors.Join(err, r.removeRing())
	}
	if err := r.start(ctx); err != nil {
		return nil, errors.Join(err, r.removeRing())
	}
	return r, nil
}

// createRing makes the ring in a directory of its own, or nothing if it fails.
func (r *Run) createRing() error {
	dir, err := newPrivateDir(r.cfg.Control)
	if err != nil {
		return err
	}
	made, err := ring.Create(dir.path, r.ringOptions())
	if err != nil {
		return errors.Join(err, dir.remove())
	}
	r.dir, r.cleanup, r.ring = dir.path, dir.remove, made
	return nil
}

func (r *Run) removeRing() error {
	if r.ring == nil {
		return nil
	}
	return errors.Join(r.ring.Close(), r.cleanup())
}

// stepSlots is the size of the ring of a program that is judged while it runs. A goroutine that
// waits for its verdict waits for all records before it, and the ring fills up where the program is
// faster than the checker. So the ring is small, and the next records to be judged are still in the
// cache.
const stepSlots = 1 << 14

func (r *Run) ringOptions() ring.Options {
	c := &r.cfg
	opt := c.Ring
	if c.Between != nil || c.Watch != nil {
		opt.Between = r.between
	}
	if opt.SpillDirs == nil {
		opt.SpillDirs = spillDirs()
	}
	opt.Seed, opt.Draws = c.Seed, c.Strategy.Of(c.Seed).Draws()
	opt.Early, opt.WithoutEarly = c.Early, c.WithoutEarly
	opt.Yields, opt.Schedule, opt.Linger = c.Yields, c.Schedule, c.Linger
	opt.Quits = c.Quit != nil
	opt.Control, opt.InStep, opt.Exact = c.Control, c.Judge != nil, c.Exact
	if opt.InStep && opt.Slots == 0 {
		opt.Slots = stepSlots
	}
	opt.Atomics = c.Full
	opt.Operations, opt.Accesses = c.Watch != nil, c.Watch != nil && c.Accesses
	watched := c.Event == nil && c.Judge == nil && !opt.Accesses // and nothing else
	opt.NewFromPools = watched
	opt.LateLoads = watched && opt.Operations && !c.Full && !c.Loads
	return opt
}

// between dates the next records, and calls Config.Between once there is something to ask about.
func (r *Run) between() {
	if r.timeline != nil {
		r.timeline.look()
	}
	if r.cfg.Between != nil && r.process != nil {
		r.cfg.Between(r)
	}
}

// start starts the program and the goroutines that serve it.
func (r *Run) start(ctx context.Context) error {
	if err := r.spawn(ctx, r.ring.Env()); err != nil {
		return err
	}
	if r.cfg.MayWait > 0 && r.cfg.Event == nil && r.cfg.Watch != nil {
		go r.boundWaiting(time.Now())
	}
	go r.consume()
	return nil
}

// boundWaiting lets a program continue untraced once it has waited for too long.
func (r *Run) boundWaiting(started time.Time) {
	const atLeast, often = time.Second, 100 * time.Millisecond
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-r.exited:
			return
		case <-tick.C:
		}
		ran, waited := time.Since(started), r.ring.Waited()
		if waited > max(atLeast, time.Duration(r.cfg.MayWait)*(ran-waited)) {
			r.letGo.Store(int64(ran))
			_ = r.ring.Stop() // it may have ended
			return
		}
	}
}

// PID returns the process id of the program, also if others have started it.
func (r *Run) PID() int {
	if r.cmd == nil {
		return r.otherPID
	}
	return r.cmd.Process.Pid
}

// Control connects to the program, for which Config.Control must be set. Halting depends on events
// being delivered meanwhile: the functions of Config must not wait for it.
func (r *Run) Control(ctx context.Context) (*control.Session, error) {
	switch {
	case r.session != nil:
		return r.session, nil
	case r.otherPID != 0:
		return nil, errors.New("the program has ended")
	case r.ring == nil:
		return nil, errors.New("the program waits for another checker")
	}
	for {
		attached := r.attached.Load()
		s, err := control.Dial(ctx, filepath.Join(r.dir, control.SocketName), r.ring)
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ECONNREFUSED) {
			return s, err
		}
		if attached {
			return nil, fmt.Errorf("the program does not listen any more, or never could: %w", err)
		}
		select { // the program has no socket yet
		case <-time.After(time.Millisecond):
		case <-r.exited:
			return nil, errors.New("the program has ended")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Host waits for visitors of the halted program, for which Config.Control must be set.
func (r *Run) Host() (*control.Host, error) { return control.NewHost(r.dir) }

// detached reports whether the checker of an attached program has left it.
func (r *Run) detached() bool { return r.session != nil && r.session.Detached() }

// Halt asks every goroutine to stop at its next record, which is the quick part of halting. A
// session (Control) completes the halt and resumes the program.
func (r *Run) Halt() error { return r.ring.Halt() }

// Hold makes goroutines wait at their next records, and before them where that is possible: those
// of these numbers, or with others all but those. It replaces what was held before.
func (r *Run) Hold(others bool, ctxs ...uint64) error { return r.ring.Hold(others, ctxs...) }

// TakeInterrupts says whether interrupts from the terminal are for this process alone, or also for
// the program, which is in the same process group. Signals sent to this process itself are always
// passed on.
func (r *Run) TakeInterrupts(ours bool) error { return r.ring.TakeInterrupts(ours) }

// LookNow asks the program which of its goroutines wait for what nothing leads to, unless it is
// asked already: op.CutOff and op.Checked say so. It reports whether the program answers.
func (r *Run) LookNow() bool { return r.ring.LookNow() }

// Looks reports whether the program was asked and has not answered.
func (r *Run) Looks() bool { return r.ring.Looks() }

// Progress reports how far the program has kept Config.Schedule.
func (r *Run) Progress() ring.Progress { return r.ring.Progress() }

// Exited is closed when the program has ended, or is no longer traced. Events may still be
// delivered.
func (r *Run) Exited() <-chan struct{} { return r.exited }

// TaskName returns the name of the goroutine that is ctx in the program's records, "" if there is
// no such goroutine. The functions of Config may call it.
func (r *Run) TaskName(ctx uint64) string {
	if r.process == nil {
		return ""
	}
	return r.process.TaskName(ctx)
}

// DisplayName returns what reports call that goroutine, which is its TaskName if Config.Watch
// receives no operations.
func (r *Run) DisplayName(ctx uint64) string {
	if r.process == nil {
		return ""
	}
	return r.process.DisplayName(ctx)
}

// Goroutine returns the number of the goroutine whose task has, or will have, that name; 0 if there
// is none. The functions of Config may call it.
func (r *Run) Goroutine(name string) uint64 {
	if r.process == nil {
		return 0
	}
	return r.process.Goroutine(name)
}

// Names returns the names behind the numbers in the operations that Config.Watch receives, nil if
// the program has reported nothing. It may be called after Wait and by the functions of Config, but
// not by Watch.
func (r *Run) Names() op.Names {
	if r.process == nil {
		return nil
	}
	return r.process
}

// Location returns where in the user's code return addresses lead to, innermost first.
func (r *Run) Location(pcs []uint64) op.Location { return r.symbols.Location(pcs) }

// Wait waits until the program has ended and all events are delivered. The result holds the exit
// code even if there is an error, which is about the trace. If the goroutine that delivers,
// callbacks included, has panicked, Wait panics with a *Bug.
func (r *Run) Wait() (Result, error) {
	<-r.done
	if r.bug != nil {
		panic(r.bug)
	}
	return r.result, r.err
}

func (r *Run) consume() {
	defer close(r.done)
	if r.cfg.Watch != nil {
		r.timeline = newTimeline(r.ring.Written)
		go r.timeline.follow(r.exited)
	}
	if r.cfg.Where != nil {
		asked, err := control.Serve(filepath.Dir(r.ring.Path()), r.cfg.Where)
		if err == nil { // else it cannot be asked
			defer asked.Close()
		}
	}
	if r.bug = capture(r.deliver); r.bug != nil {
		r.err = r.bug
	}
	if r.err != nil {
		r.ring.Close() // the program stops waiting for a reader
	}
	<-r.exited
	if bug := capture(r.finish); r.bug == nil {
		r.bug = bug
	}
}

// deliver delivers events until the program has ended.
func (r *Run) deliver() {
	more, err := false, error(nil)
	follow := func() { more, err = r.ring.Follow(r.exited, r.record) }
	switch {
	case r.cfg.Judge != nil:
		more, err = r.ring.FollowInStep(r.exited, r.record, r.judge)
	case r.cfg.Prompt:
		follow()
	default:
		atLowPriority(follow)
	}
	if more {
		err = r.drain()
	}
	if r.err == nil {
		r.err = err
	}
}

// drain delivers the remaining records when the program has ended and no longer needs its
// processors.
func (r *Run) drain() (err error) {
	if r.watcher == nil {
		return r.ring.Drain(r.record)
	}
	r.watcher.runConcurrently(func() { err = r.ring.Drain(r.record) })
	return err
}

// lowPriority is the nice value of the thread that follows the program: where both want the same
// processor the program gets ten times as much of it. Meanwhile another thread takes records out of
// the ring, and the program does not wait for room. Nothing is lost where a processor is idle. With
// an even lower priority the thread would notice the program's end late on a busy machine.
const lowPriority = 10

// atLowPriority calls f on a thread that is the last to get a processor. It panics if f does.
func atLowPriority(f func()) {
	done := make(chan *Bug)
	go func() {
		// The thread is never unlocked and ends here, since its priority cannot be raised again.
		runtime.LockOSThread()
		// On Linux 0 is this thread. A failure only makes the program slower.
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, lowPriority)
		done <- capture(f)
	}()
	if bug := <-done; bug != nil {
		panic(bug)
	}
}

// record processes one record and reports whether more are wanted.
func (r *Run) record(rec *ring.Record) bool {
	if r.process == nil && r.attach() != nil {
		return false
	}
	if r.enough() {
		r.err = r.ring.Stop()
		return false
	}
	if r.timeline != nil {
		if at, ok := r.timeline.before(rec.Index); ok {
			r.err = r.feedTime(at, rec.Index)
		}
	}
	if r.err == nil {
		r.err = r.process.Feed(rec, r.emit)
	}
	if r.err != nil {
		return false
	}
	r.running = r.running || rec.Kind == ring.KindStarted
	return true
}

// feedTime dates the records from an index on.
func (r *Run) feedTime(at time.Duration, index uint64) error {
	dated := ring.Record{Kind: ring.KindTime, Index: index, Aux: uint64(at.Milliseconds())}
	return r.process.Feed(&dated, r.emit)
}

// enough reports whether there was a consumer and none needs more records. It stops computing
// operations as soon as the watcher has enough.
func (r *Run) enough() bool {
	watches := r.watcher != nil && (r.cfg.Enough == nil || !r.cfg.Enough())
	takes := r.cfg.Event != nil && (r.cfg.EnoughEvents == nil || !r.cfg.EnoughEvents())
	if r.watcher != nil && !watches {
		r.process.Unwatch()
	}
	return !watches && !takes && r.cfg.Judge == nil && (r.watcher != nil || r.cfg.Event != nil)
}

// recordTimeout bounds how long later records wait for a missing earlier one when the ring is
// empty.
const recordTimeout = 5 * time.Second

// judge calls Judge for the events so far, and reports whether more are wanted.
func (r *Run) judge(idle bool) bool {
	switch {
	case !idle:
		r.idle = time.Time{}
	case r.idle.IsZero():
		r.idle = time.Now()
	case r.process != nil && time.Since(r.idle) > recordTimeout:
		if r.err = r.process.Idle(r.emit); r.err != nil {
			return false
		}
	}
	r.between()
	if r.running { // there may be something to judge without an event
		if r.err = r.header(); r.err != nil {
			return false
		}
	}
	r.err = r.cfg.Judge(r, idle)
	return r.err == nil
}

// attach prepares for the first record. By then the program has reported its load address.
func (r *Run) attach() error {
	r.attached.Store(true)
	r.symbols.Rebase(r.ring.Identity().Text)
	opt := process.Options{
		Full: r.cfg.Full, Sparse: r.cfg.Sparse, Env: r.symbols.HasUnstarted(),
		Run: r.cfg.RunID, Program: r.cfg.Program, Host: r.cfg.Host, Start: r.cfg.StartTime,
	}
	if r.cfg.Watch != nil {
		r.watcher = &asyncWatcher{to: r.cfg.Watch}
		opt.Watch, opt.Accesses, opt.Hidden = r.watcher, r.cfg.Accesses, r.cfg.Hidden
		opt.Record, opt.Behind = r.cfg.Record && r.ring.Identity().Operations, r.cfg.Behind
	}
	r.process, r.err = process.New(r.cfg.Table, r.symbols, opt)
	return r.err
}

// event delivers an event, and the header before the first.
func (r *Run) event(e *event.Event) error {
	if err := r.header(); err != nil {
		return err
	}
	if r.cfg.Event == nil {
		return nil
	}
	return r.cfg.Event(e)
}

func (r *Run) header() error {
	if r.started {
		return nil
	}
	r.started = true
	if r.cfg.Header == nil {
		return nil
	}
	return r.cfg.Header(r.process.Header())
}

// crashed is the exit code of a Go program that panics.
const crashed = 2

// finish completes the trace and cleans up after the program has ended.
func (r *Run) finish() {
	id := r.ring.Identity()
	switch {
	case r.err != nil:
	case id.PID == 0:
		r.err = ErrNotTraced
	default:
		r.err = r.complete()
		r.result.Complete = r.err == nil
	}
	r.ballast.drop()
	r.result.Broken = r.otherPID != 0 && !r.detached() && !r.ring.Left()
	howLeft := uint32(ring.LeftAnyhow)
	if r.result.Complete {
		howLeft = r.ring.HowLeft()
	}
	cleanup := errors.Join(r.ring.Close(), r.cleanup())
	if r.err == nil {
		r.err = cleanup
	}
	r.result.Program = id
	r.result.LetGoAt = time.Duration(r.letGo.Load())
	r.result.LetGo = r.result.LetGoAt > 0
	r.result.Ring, r.result.Kept = r.ring.Stats(), r.ring.Progress()
	if r.process != nil {
		r.result.Process = r.process.Stats()
	}
	r.result.Missing = r.result.Ring.Missing() + r.result.Process.Corrupt
	r.result.Why = r.explainLoss()
	r.exitStatus()
	r.result.Crashed = howLeft == ring.LeftPanicking || howLeft != ring.LeftAnyhow && r.result.ExitCode == crashed
}

// complete delivers the events that wait for the end of the program, or the header if there was no
// event.
func (r *Run) complete() error {
	if r.process == nil {
		if err := r.attach(); err != nil {
			return err
		}
	}
	if r.timeline != nil {
		<-r.timeline.over
		if err := r.feedTime(r.timeline.end, r.ring.Written()); err != nil {
			return err
		}
	}
	if err := r.process.Finish(r.emit); err != nil {
		return err
	}
	return r.header()
}

// explainLoss explains why the trace lacks records, and what to do.
func (r *Run) explainLoss() string {
	s := r.result.Ring
	switch {
	case s.Lost > 0:
		return "the program could not wait for antichain any longer; run it again, or name less in the specification"
	case s.Corrupt > 0:
		return "the program wrote to memory that is not its own, and shared memory makes no sense; look for unsafe " +
			"code and C in it"
	}
	return r.result.Process.First
}
