package terminal

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"golang.org/x/term"
)

// Work is announced after progressAfter: short work leaves no trace. From then on the line is
// renewed every progressEvery.
const (
	progressAfter = 700 * time.Millisecond
	progressEvery = time.Second
)

// clearLine takes away the line that the cursor is in.
const clearLine = "\r\x1b[K"

// Progress shows on a terminal that work takes its time, on a line that is overwritten. Text
// written to it replaces the line. It must be ended by Done.
type Progress struct {
	to    io.Writer   // for text
	line  io.Writer   // for the line
	timer *time.Timer // nil if nothing is shown

	// How far a check is. It says so too often for a lock or an allocation.
	share, intervals atomic.Uint64 // share is a float64

	mu    sync.Mutex
	what  string // is being done
	check bool   // share and intervals are shown
	shown bool   // the line is there, and the cursor at its end
	ended bool   // nothing is shown any more
}

// Remote is where Working shows the current step if its writer is no terminal; nil is nowhere.
// Another process may have the terminal. It is set before anything is shown.
var Remote io.Writer

// ShowsProgress reports whether w is a terminal on which a line can be overwritten.
func ShowsProgress(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Working begins to show the current step of the work. Where w is no terminal, and there is no
// Remote, it shows nothing.
func Working(w io.Writer, what string) *Progress { return WorkingSince(w, what, time.Now()) }

// WorkingSince is Working for what has begun before.
func WorkingSince(w io.Writer, what string, start time.Time) *Progress {
	p := &Progress{to: w, line: w, what: what}
	switch {
	case ShowsProgress(w):
	case Remote != nil:
		p.line = Remote
	default:
		return p
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(progressAfter, func() { p.show(start) })
	return p
}

// Doing names the step of the work that begins now. It does nothing if no progress is shown.
func (p *Progress) Doing(what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

func (p *Progress) show(start time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	line := fmt.Sprintf("%s … %d s", p.what, int(time.Since(start).Seconds()))
	if p.check {
		share := math.Float64frombits(p.share.Load())
		line += fmt.Sprintf(", %.0f%%, %s kept", math.Floor(100*share), wording.Plural(int(p.intervals.Load()), "interval"))
	}
	fmt.Fprint(p.line, clearLine+line)
	p.shown = true
	p.timer.Reset(progressEvery)
}

// Watched returns options for a check that reports its progress, if that is shown.
func (p *Progress) Watched(o tlcheck.Options) tlcheck.Options {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.check = p.timer != nil; p.check {
		o.Progress = func(far tlcheck.Progress) {
			p.share.Store(math.Float64bits(far.Share))
			p.intervals.Store(uint64(far.Intervals))
		}
	}
	return o
}

// Done takes the line away. Further calls do nothing.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

func (p *Progress) end() {
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.shown {
		fmt.Fprint(p.line, clearLine)
	}
	p.shown, p.ended = false, true
}

// Write ends the line and passes b on.
func (p *Progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	return p.to.Write(b)
}
