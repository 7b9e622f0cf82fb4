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
	cfg     Config
	dir     string // with the ring
	cleanup func() error
	ring    *ring.Ring
	cmd     *exec.Cmd        // nil if others have started the program
	others  int              // then, its process id
	session *control.Session // then; nil if the program had ended before it answered

	symbols *exe.File
	process *process.Process         // made when the program has attached
	emit    func(*event.Event) error // r.event, made once and not for every record
	watcher *asyncWatcher            // nil without Config.Watch
	started bool                     // the header is delivered
	running bool                     // function main has begun, as a record says if operations are wanted
	err     error                    // of a callback, or of the ring

	attached atomic.Bool  // the program has come to its first record, and so past its socket
	letGo    atomic.Int64 // nanoseconds after its start at which it was let go; 0 if it was not

	ballast *ballast
	idle    time.Time // since when there are no records; zero if there are

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

// createRing makes the ring in a directory of its own, or nothing.
func (r *Run) createRing() error {
	dir, err := newPrivateDir(r.cfg.Control)
	if err != nil {
		return err
	}
	made, err := ring.Create(dir.path, r.cfg.ringOptions())
	if err != nil {
		return errors.Join(err, dir.remove())
	}
	r.dir, r.cleanup, r.ring = dir.path, dir.remove, made
	return nil
}

// removeRing removes what createRing has made, if it has.
func (r *Run) removeRing() error {
	if r.ring == nil {
		return nil
	}
	return errors.Join(r.ring.Close(), r.cleanup())
}

// stepSlots make a ring for a program that is judged while it runs. Whoever waits to be judged waits for all before him, and where the
// program is faster than the checker the ring is full: so it is small, and what is to be judged next is still in the cache.
const stepSlots = 1 << 14

func (c *Config) ringOptions() ring.Options {
	opt := c.Ring
	if opt.SpillDirs == nil {
		opt.SpillDirs = spillDirs()
	}
	opt.Seed, opt.Yields, opt.Schedule, opt.Linger = c.Seed, c.Yields, c.Schedule, c.Linger
	opt.Control, opt.InStep, opt.Exact = c.Control, c.Judge != nil, c.Exact
	if opt.InStep && opt.Slots == 0 {
		opt.Slots = stepSlots
	}
	opt.Atomics = c.Full
	opt.Operations, opt.Accesses = c.Watch != nil, c.Watch != nil && c.Accesses
	return opt
}

// start starts the program and what runs beside it.
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

// boundWaiting lets a program go that has waited for too long.
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

// PID is the process id of the program.
func (r *Run) PID() int {
	if r.cmd == nil {
		return r.others
	}
	return r.cmd.Process.Pid
}

// Control connects to the program, for which Config.Control must be set. Events go on to
// be delivered meanwhile, which halting depends on: the functions of Config must not wait
// for it.
func (r *Run) Control(ctx context.Context) (*control.Session, error) {
	switch {
	case r.session != nil:
		return r.session, nil
	case r.others != 0:
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
		select { // it has not come so far
		case <-time.After(time.Millisecond):
		case <-r.exited:
			return nil, errors.New("the program has ended")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Host waits for visitors who want to look at the halted program, for which Config.Control must be set.
func (r *Run) Host() (*control.Host, error) { return control.NewHost(r.dir) }

// detached reports whether a checker of a program that others have started has left it.
func (r *Run) detached() bool { return r.session != nil && r.session.Detached() }

// Halt asks every goroutine to stop at its next record, which is the quick part of
// halting. A session (Control) completes it and lets the program go on.
func (r *Run) Halt() error { return r.ring.Halt() }

// Hold lets goroutines wait at their next records, and before them where that is possible: those of these numbers,
// or with others all but those. It takes the place of what was held before.
func (r *Run) Hold(others bool, ctxs ...uint64) error { return r.ring.Hold(others, ctxs...) }

// TakeInterrupts says whether interrupts from the terminal are for us alone, or also for the program, which is in the same
// process group. What is sent to us is passed on in any case.
func (r *Run) TakeInterrupts(ours bool) error { return r.ring.TakeInterrupts(ours) }

// Progress says how far the program has kept Config.Schedule.
func (r *Run) Progress() ring.Progress { return r.ring.Progress() }

// Exited is closed when the program has ended, or is traced no more. Events may still be
// delivered.
func (r *Run) Exited() <-chan struct{} { return r.exited }

// TaskName is the name of the goroutine that is ctx in the program's records, "" if there is
// none of that number. It may be called by the functions of Config.
func (r *Run) TaskName(ctx uint64) string {
	if r.process == nil {
		return ""
	}
	return r.process.TaskName(ctx)
}

// Goroutine is the number of the goroutine that has, or will have, that name as a task; 0 if there is none. It may be
// called by the functions of Config.
func (r *Run) Goroutine(name string) uint64 {
	if r.process == nil {
		return 0
	}
	return r.process.Goroutine(name)
}

// Names says what the numbers in the operations that Config.Watch was told mean. It may be called
// by the functions of Config, not by Watch, and after Wait, and is nil if the program has reported nothing.
func (r *Run) Names() op.Names {
	if r.process == nil {
		return nil
	}
	return r.process
}

// Wait waits until the program has ended and all events are delivered. The result
// holds the exit code even if there is an error, which is about the trace. A panic of
// the goroutine that delivers, callbacks included, goes on here as a *Bug.
func (r *Run) Wait() (Result, error) {
	<-r.done
	if r.bug != nil {
		panic(r.bug)
	}
	return r.result, r.err
}

// consume delivers the events.
func (r *Run) consume() {
	defer close(r.done)
	if r.bug = capture(r.deliver); r.bug != nil {
		r.err = r.bug
	}
	if r.err != nil {
		r.ring.Close() // the program need not wait for anybody any more
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

// drain delivers what is left when the program has ended: nobody else wants its processors now.
func (r *Run) drain() (err error) {
	if r.watcher == nil {
		return r.ring.Drain(r.record)
	}
	r.watcher.apart(func() { err = r.ring.Drain(r.record) })
	return err
}

// lowPriority is the nice value of the thread that follows the program: where both want
// the same processor the program gets ten times as much of it. Another thread takes its records out of the ring meanwhile, so
// that it need not wait. It costs nothing where a processor is idle. With a lower priority yet it would find out late on a busy
// machine that the program has ended.
const lowPriority = 10

// atLowPriority calls f on a thread that is the last to get a processor. A panic goes on here.
func atLowPriority(f func()) {
	done := make(chan *Bug)
	go func() {
		// Never unlocked: the thread ends here, since its priority cannot be raised again.
		runtime.LockOSThread()
		// On Linux 0 is this thread. Without its leave all is well, but slower.
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, lowPriority)
		done <- capture(f)
	}()
	if bug := <-done; bug != nil {
		panic(bug)
	}
}

// record takes one record; it reports whether more are wanted.
func (r *Run) record(rec *ring.Record) bool {
	if r.process == nil && r.attach() != nil {
		return false
	}
	if r.enough() {
		r.err = r.ring.Stop()
		return false
	}
	if err := r.process.Feed(rec, r.emit); err != nil {
		r.err = err
		return false
	}
	r.running = r.running || rec.Kind == ring.KindStarted
	return true
}

// enough reports whether nobody wants more records, of those who did. Operations that nobody wants are not looked for any more.
func (r *Run) enough() bool {
	watches := r.watcher != nil && (r.cfg.Enough == nil || !r.cfg.Enough())
	takes := r.cfg.Event != nil && (r.cfg.EnoughEvents == nil || !r.cfg.EnoughEvents())
	if r.watcher != nil && !watches {
		r.process.Unwatch()
	}
	return !watches && !takes && r.cfg.Judge == nil && (r.watcher != nil || r.cfg.Event != nil)
}

// waitsForRecord is how long a record is waited for that others have to come behind, if there are no records at all.
const waitsForRecord = 5 * time.Second

// judge has the events judged that have come; it reports whether more are wanted.
func (r *Run) judge(idle bool) bool {
	switch {
	case !idle:
		r.idle = time.Time{}
	case r.idle.IsZero():
		r.idle = time.Now()
	case r.process != nil && time.Since(r.idle) > waitsForRecord:
		if r.err = r.process.Idle(r.emit); r.err != nil {
			return false
		}
	}
	if r.running { // what there is to judge may be no event
		if r.err = r.header(); r.err != nil {
			return false
		}
	}
	r.err = r.cfg.Judge(r, idle)
	return r.err == nil
}

// attach makes ready for the first record. By then the program has said where it is
// loaded.
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
	r.result.Broken = r.others != 0 && !r.detached() && !r.ring.Left()
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
	r.result.Why = r.why()
	r.exitStatus()
}

// complete delivers what waits for the end of the program, or the header if there was
// nothing else.
func (r *Run) complete() error {
	if r.process == nil {
		if err := r.attach(); err != nil {
			return err
		}
	}
	if err := r.process.Finish(r.emit); err != nil {
		return err
	}
	return r.header()
}

// why says what became of the records that the trace lacks, and what to do.
func (r *Run) why() string {
	s := r.result.Ring
	switch {
	case s.Lost > 0:
		return "the program could not wait for antichain any longer; run it again, or name less in the specification"
	case s.Corrupt > 0:
		return "the program wrote to memory that is not its own, and shared memory makes no sense; look for unsafe code and C in it"
	}
	return r.result.Process.First
}
