// Package hang notices while a program runs that goroutines wait for ever, and says where all
// goroutines stand.
//
// That a goroutine waits for ever is certain when it is said: the built-in property stuck judges
// the operations so far, and what leads to the things that are waited for is known to the
// program's garbage collector, which is asked. Time decides only when to ask: once goroutines have
// waited for a while, and not too often.
package hang

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Watch follows a run.
type Watch struct {
	// Report receives new findings; nil writes them to where New says.
	Report func(op.Names, []builtin.Finding)

	// Quits says that SIGQUIT asks where the goroutines stand. The program does not get it then.
	Quits bool

	// If the program hangs for that long, End ends it; 0 is never.
	Timeout time.Duration
	End     func()

	// standing judges the operations so far. It returns nil if it cannot.
	standing func(op.Names) *builtin.Standing
	source   report.Source
	out      io.Writer
	goroutines
	schedule
	reported []announcement
	known    []builtin.Finding   // reported, and may still stand
	main     bool                // main waits for ever, too
	again    time.Duration       // when to judge without asking; 0: not at all
	asks     time.Time           // when the program was asked last
	ended    bool                // by End
	undated  bool                // the run has no times
	requests chan io.WriteCloser // for where the goroutines stand
}

// New returns a watch of a run whose built-in properties judge checks, nil if that looks for no
// goroutines that wait for ever. It writes to out.
func New(judge *findings.Watch, c *check.Checker, out io.Writer) *Watch {
	if !judge.ChecksWaits() {
		return nil // the program need not be asked
	}
	return &Watch{
		standing: func(names op.Names) *builtin.Standing { return judge.Standing(c, names) },
		source:   c.Style.Source, out: out, requests: make(chan io.WriteCloser, mostRequests),
	}
}

// Configure adds w to the watchers of a run, unless w is nil.
func (w *Watch) Configure(cfg *launch.Config) {
	if w == nil {
		return
	}
	cfg.Watch, cfg.Between, cfg.Where = both{cfg.Watch, w}, w.between, w.answer
	if w.Quits {
		cfg.Quit = func() { w.answer(uncloseable{w.out}) }
	}
}

// both are two watchers of the same operations.
type both [2]op.Watcher

// Op implements op.Watcher.
func (b both) Op(o *op.Op) {
	b[0].Op(o)
	b[1].Op(o)
}

// Remembers implements op.Forgetter.
func (b both) Remembers(see func(op.Task)) bool {
	return op.Remembers(b[0], see) && op.Remembers(b[1], see)
}

// Forget implements op.Forgetter.
func (b both) Forget(s *clock.Sweep) {
	op.Forget(b[0], s)
	op.Forget(b[1], s)
}

// Remembers implements op.Forgetter: the watch speaks of goroutines that have not ended, and of
// those that the checker has spoken of.
func (w *Watch) Remembers(func(op.Task)) bool { return true }

// mostRequests bounds the number of requests that wait for an answer. Further ones get none.
const mostRequests = 8

const (
	// Goroutines are reported to wait for ever once they have waited for this long: longer where
	// that rests on an assumption, such as that no other goroutine unlocks a lock, or where they
	// wake now and then to wait again.
	patience        = time.Second
	patienceAssumed = 3 * time.Second

	// The time from an answer of the program until all records about it have come, with a tick, by
	// which the time may be late.
	arrival = 100*time.Millisecond + often
)

// answer asks the watch to write the positions of the goroutines to a writer, and then to close it.
// If too many requests wait already, it only closes the writer. Any goroutine may call answer.
func (w *Watch) answer(to io.WriteCloser) {
	select {
	case w.requests <- to:
	default: // many have asked
		to.Close()
	}
}

// uncloseable is a writer that others go on using.
type uncloseable struct{ io.Writer }

func (uncloseable) Close() error { return nil }

// HasEnded reports whether the program hung and was ended. It may be called once the run is over.
func (w *Watch) HasEnded() bool { return w != nil && w.ended }

// between looks now and then at where the goroutines stand.
func (w *Watch) between(run *launch.Run) {
	if w.looking && !run.Looks() {
		w.answered(w.now, time.Since(w.asks))
		w.again = w.now + arrival
	}
	if !w.tick(time.Now()) {
		return
	}
	select {
	case to := <-w.requests:
		w.writeWhere(to, run.Names())
		to.Close()
	default:
	}
	w.withdraw(run.Names())
	switch {
	case w.looking:
	case w.again != 0 && w.now >= w.again:
		w.judge(run.Names())
	case w.again == 0 && w.isDue(w.now, &w.goroutines):
		w.asked(w.now)
		if w.asks = time.Now(); !run.LookNow() { // its operations show all that it knows
			w.answered(w.now, 0)
			w.judge(run.Names())
		}
	}
	if w.Timeout > 0 && !w.ended && w.hangsFor() >= w.Timeout {
		w.ended = true
		w.End()
	}
}

// judge reports the goroutines that are newly known to wait for ever.
func (w *Watch) judge(names op.Names) {
	w.again = 0
	s := w.standing(names)
	if s == nil {
		return
	}
	var found []builtin.Finding
	w.known, w.main = w.known[:0], s.Main
	for _, f := range s.ForEver {
		if !w.isSettled(&f) {
			w.again = w.now + patience/2
			continue
		}
		w.known = append(w.known, f)
		if w.announce(&f, names) {
			found = append(found, f)
		}
	}
	switch {
	case len(found) == 0:
	case w.Report != nil:
		w.Report(names, found)
	default:
		w.write(w.out, names, found, s)
	}
}

// isSettled reports whether the goroutines of a finding have waited for long enough.
func (w *Watch) isSettled(f *builtin.Finding) bool {
	least := patience
	if f.Guess != nil || f.Polls {
		least = patienceAssumed
	}
	return !slices.ContainsFunc(f.Parties, func(p builtin.Party) bool { return w.stands(f, p.Task) < least })
}

// stands returns for how long a goroutine has been where a finding says that it is.
func (w *Watch) stands(f *builtin.Finding, task op.Task) time.Duration {
	if f.Polls {
		return w.idles(task)
	}
	return w.lasts(task)
}

// hangsFor returns for how long the program hangs. It does so if main waits for ever, or if no
// goroutine has done anything since another one began to wait for ever. As long as goroutines begin
// or end, it does not.
func (w *Watch) hangsFor() (longest time.Duration) {
	const main op.Task = 0
	look := func(task op.Task, stands time.Duration) {
		since := w.now - stands
		if stands > 0 && (task == main || w.moved <= since) {
			longest = max(longest, w.now-max(since, w.turnover))
		}
	}
	for i := range w.known {
		for _, p := range w.known[i].Parties {
			look(p.Task, w.stands(&w.known[i], p.Task))
		}
	}
	if w.main && len(w.known) > 0 {
		look(main, w.lasts(main))
	}
	return longest
}

// writeWhere writes where the goroutines stand, and what was found of them.
func (w *Watch) writeWhere(to io.Writer, names op.Names) {
	if s := w.standing(names); s != nil {
		w.write(to, names, w.known, s)
	}
}

// write writes findings and where the goroutines stand, in one piece.
func (w *Watch) write(to io.Writer, names op.Names, found []builtin.Finding, s *builtin.Standing) {
	var b bytes.Buffer
	page := report.Standing{ForEver: found, Waits: s.Waits(), Others: w.others(), Names: names}
	if !w.undated {
		page.Lasts = func(wait *builtin.Wait) time.Duration { return w.lasts(wait.Task) }
	}
	_ = page.Write(&b, w.source) // a buffer does not fail
	_, _ = to.Write(b.Bytes())
}
