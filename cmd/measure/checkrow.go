//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
)

// checkingJob is the name under which the command calls itself, with a job.
const checkingJob = "checking-job"

// checkRow is a row of the table: a job, and what it should take.
type checkRow struct {
	job
	title  string // of the formula
	target target
}

// target is what a row should take at most; 0 is no matter.
type target struct {
	seconds float64
	mib     float64
	speed   float64 // million events/s, at least
}

func (t target) String() string {
	var parts []string
	if t.seconds > 0 {
		parts = append(parts, fmt.Sprintf("< %v s", t.seconds))
	}
	if t.mib > 0 {
		parts = append(parts, fmt.Sprintf("< %v MiB", t.mib))
	}
	if t.speed > 0 {
		parts = append(parts, fmt.Sprintf("≥ %v M events/s", t.speed))
	}
	if parts == nil {
		return "-"
	}
	return strings.Join(parts, ", ")
}

func (r *checkRow) name() string { return r.Config.String() + ", " + r.title }

// rowOutcome holds the results of a row.
type rowOutcome struct {
	checkRow
	seeds    []seedResult
	explicit []seedResult
	stopped  string // why the child did not come to its end
}

// maxUndecided is how many seeds may run out of time until the rest of a row is given up.
const maxUndecided = 3

// measure runs the job in a child process. A child that does not obey its limit is
// stopped.
func (r checkRow) measure(memory float64) (rowOutcome, error) {
	in, err := json.Marshal(r.job)
	if err != nil {
		return rowOutcome{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return rowOutcome{}, err
	}
	cmd := exec.Command(self, checkingJob)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return rowOutcome{}, err
	}
	if err := cmd.Start(); err != nil {
		return rowOutcome{}, err
	}
	w := &warden{process: cmd.Process, memory: memory, patience: 2*r.Limit + 10*time.Second}
	w.heard.Store(time.Now().UnixNano())
	done := make(chan struct{})
	go w.watch(done)
	c, err := r.collect(out, w)
	close(done)
	if ended := cmd.Wait(); ended != nil && w.why.Load() == nil {
		return c, fmt.Errorf("%w\n%s", ended, &stderr)
	}
	if why := w.why.Load(); why != nil {
		c.stopped = *why
	}
	return c, err
}

// collect reads what the child prints.
func (r checkRow) collect(out io.Reader, w *warden) (rowOutcome, error) {
	c := rowOutcome{checkRow: r}
	undecided := 0
	for results := json.NewDecoder(out); ; {
		var s seedResult
		err := results.Decode(&s)
		if err != nil && (errors.Is(err, io.EOF) || w.why.Load() != nil) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		w.heard.Store(time.Now().UnixNano())
		if s.Verdict == "" {
			c.explicit = append(c.explicit, s)
			continue
		}
		c.seeds = append(c.seeds, s)
		if err := r.expect(s); err != nil {
			w.stop(err.Error())
			return c, err
		}
		if s.Verdict == "unknown" {
			if undecided++; undecided == maxUndecided && len(c.seeds) < r.Seeds {
				w.stop("the rest was given up")
			}
		}
	}
}

// expect checks what the seed came to.
func (r checkRow) expect(s seedResult) error {
	if r.Question == "" && (s.Verdict != "unknown" && s.Verdict != r.Config.Variant.String() || s.Happened) {
		return fmt.Errorf("verdict %s, passed by the run %v: the check or the workload is wrong", s.Verdict, s.Happened)
	}
	return nil
}

// warden stops a process that takes too much memory or says nothing for too long.
type warden struct {
	process  *os.Process
	memory   float64 // MiB
	patience time.Duration
	heard    atomic.Int64 // when it last said something
	why      atomic.Pointer[string]
}

func (w *warden) stop(why string) {
	if w.why.CompareAndSwap(nil, &why) {
		w.process.Kill()
	}
}

func (w *warden) watch(done <-chan struct{}) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.process.Pid))
		if err == nil && peakOf(text) > w.memory {
			w.stop(fmt.Sprintf("more than %.0f MiB", w.memory))
		}
		if time.Since(time.Unix(0, w.heard.Load())) > w.patience {
			w.stop("did not obey its limit of time")
		}
	}
}

// cells returns the row of the table.
func (c *rowOutcome) cells() []string {
	return []string{
		c.Config.Pattern.String(), fmt.Sprintf("%d×%d", c.Config.Tasks, c.Config.Events), c.title, c.verdicts(),
		millis(c.median()), millis(c.worst()), number(c.peak()), c.enumerated(), c.target.String(), c.met(),
	}
}

// took returns the seconds of each seed.
func (c *rowOutcome) took() []float64 {
	var all []float64
	for _, s := range c.seeds {
		all = append(all, s.Build+s.Check)
	}
	return all
}

func (c *rowOutcome) median() float64 { return median(c.took()) }

func (c *rowOutcome) worst() float64 { return slices.Max(append(c.took(), 0)) }

func (c *rowOutcome) peak() (mib float64) {
	for _, s := range c.seeds {
		mib = max(mib, s.MiB)
	}
	return mib
}

// unknown returns how many seeds were not decided.
func (c *rowOutcome) unknown() (n int) {
	for _, s := range c.seeds {
		if s.Verdict == "unknown" {
			n++
		}
	}
	return n
}

// decided reports whether all seeds were.
func (c *rowOutcome) decided() bool { return len(c.seeds) == c.Seeds && c.unknown() == 0 }

func (c *rowOutcome) verdicts() string {
	text := c.Config.Variant.String()
	if c.Question != "" {
		text = c.answers()
	}
	if !c.decided() {
		text = fmt.Sprintf("**%d unknown**, %d %s", c.unknown(), len(c.seeds)-c.unknown(), text)
	}
	if c.stopped != "" {
		text += "; " + c.stopped
	}
	return text
}

// answers returns the verdicts on the seeds that were decided, each once.
func (c *rowOutcome) answers() string {
	var all []string
	for _, s := range c.seeds {
		if s.Verdict != "unknown" && !slices.Contains(all, s.Verdict) {
			all = append(all, s.Verdict)
		}
	}
	return strings.Join(all, ", ")
}

// met says whether the target is met.
func (c *rowOutcome) met() string {
	t, speed := c.target, float64(c.Config.Tasks*c.Config.Events)/c.median()/1e6
	switch {
	case t == target{}:
		return ""
	case !c.decided(), t.seconds > 0 && c.worst() >= t.seconds, t.mib > 0 && c.peak() >= t.mib, speed < t.speed:
		return "no"
	}
	return "yes"
}

// enumerated is how long explicit enumeration took.
func (c *rowOutcome) enumerated() string {
	var took []float64
	for _, s := range c.explicit {
		if s.Explicit == 0 {
			return "-"
		}
		took = append(took, s.Explicit)
	}
	if len(took) == 0 {
		return "-"
	}
	return millis(median(took))
}

func millis(seconds float64) string { return number(1000 * seconds) }

var checkTable = table{"pattern", "tasks×events", "formula", "verdict", "ms, median", "ms, worst", "MiB", "ms, enumerated", "target", "met"}

// checkRows returns the rows of a size, for every pattern, formula and variant.
func checkRows(tasks, events, seeds int, limit time.Duration) []checkRow {
	var rows []checkRow
	for _, p := range workload.Patterns() {
		for _, f := range workload.Formulas() {
			for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
				c := workload.Config{Pattern: p, Variant: v, Tasks: tasks, Events: events, Buffer: f.Buffer}
				text, ok := f.Text(c)
				if !ok {
					continue
				}
				r := checkRow{job: job{Config: c, Formula: text, Seeds: seeds, Limit: limit}, title: f.Name}
				switch {
				case tasks < 20:
					r.Explicit = true
				case tasks < 250:
					r.target = target{seconds: 1, mib: 200}
				case !f.Flat:
					continue
				default:
					r.target = target{seconds: 10}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}
