package builtin_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"pgregory.net/rapid"
)

// logLine is a line of a log: what a thread does, and to what.
type logLine struct {
	thread int
	op     string // r, w, acq, rel or fork
	on     string // variable, lock or thread
}

func (l logLine) String() string { return fmt.Sprintf("T%d|%s(%s)|", l.thread, l.op, l.on) }

// drawLog returns a log that can have happened.
func drawLog(t *rapid.T) []logLine {
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	var lines []logLine
	if rapid.Bool().Draw(t, "forks") {
		for n := 1; n < threads; n++ {
			lines = append(lines, logLine{0, "fork", fmt.Sprintf("T%d", n)})
		}
	}
	holders := map[string]int{}
	for range rapid.IntRange(3, 12).Draw(t, "length") {
		l := logLine{thread: rapid.IntRange(0, threads-1).Draw(t, "thread")}
		lock := rapid.SampledFrom([]string{"m", "n"}).Draw(t, "lock")
		holder, held := holders[lock]
		switch what := rapid.IntRange(0, 6).Draw(t, "what"); {
		case what == 0 && !held:
			l.op, l.on, holders[lock] = "acq", lock, l.thread
		case what <= 2 && held && holder == l.thread:
			l.op, l.on = "rel", lock
			delete(holders, lock)
		default:
			l.op = rapid.SampledFrom([]string{"r", "w"}).Draw(t, "op")
			l.on = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "variable")
		}
		lines = append(lines, l)
	}
	return lines
}

// racesIn returns the races that are found in a log, by the numbers of their lines.
func racesIn(t interface{ Fatal(...any) }, lines []logLine) map[[2]int]builtin.Finding {
	var text strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&text, "%v%d\n", l, i)
	}
	r := std.NewReader(strings.NewReader(text.String()), "log", std.Options{})
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	checker, err := builtin.New(builtin.Race)
	if err != nil {
		t.Fatal(err)
	}
	operations := process.NewOperations(h, checker)
	for e := new(event.Event); ; {
		if err = r.Next(e); err != nil {
			break
		}
		if !e.IsAction() {
			operations.Add(e)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	operations.Finish()
	found := map[[2]int]builtin.Finding{}
	for _, f := range checker.Findings(operations) {
		var pair [2]int
		for i, p := range f.Parties {
			if _, err := fmt.Sscan(operations.Place(p.At).At, &pair[i]); err != nil {
				t.Fatal(err)
			}
		}
		found[pair] = f
	}
	return found
}

// orders tries all orders of the lines of a log in which each read sees the line that it saw in the
// log.
type orders struct {
	lines []logLine
	of    map[int][]int // the lines of each thread
	saw   []int         // by line: the write that a read saw, -1 if none
	seen  map[string]bool
}

func newOrders(lines []logLine) *orders {
	o := &orders{lines: lines, of: map[int][]int{}, saw: make([]int, len(lines)), seen: map[string]bool{}}
	last := map[string]int{"x": -1, "y": -1, "z": -1}
	for i, l := range lines {
		o.of[l.thread] = append(o.of[l.thread], i)
		o.saw[i] = last[l.on]
		if l.op == "w" {
			last[l.on] = i
		}
	}
	return o
}

// reach reports whether some order leads to a state in which the lines of the pair come next.
func (o *orders) reach(pair [2]int) bool {
	clear(o.seen)
	return o.search(pair, map[int]int{}, map[string]int{}, map[string]int{"x": -1, "y": -1, "z": -1})
}

func (o *orders) search(pair [2]int, done map[int]int, holders, last map[string]int) bool {
	state := fmt.Sprint(done, last)
	if o.seen[state] {
		return false
	}
	o.seen[state] = true
	next := func(thread int) int {
		if done[thread] == len(o.of[thread]) {
			return -1
		}
		return o.of[thread][done[thread]]
	}
	if next(o.lines[pair[0]].thread) == pair[0] && next(o.lines[pair[1]].thread) == pair[1] && o.begun(done, pair[0]) && o.begun(done, pair[1]) {
		return true
	}
	for thread := range o.of {
		i := next(thread)
		if i < 0 || slices.Contains(pair[:], i) || !o.begun(done, i) {
			continue
		}
		l := o.lines[i]
		d, h, w := maps.Clone(done), maps.Clone(holders), maps.Clone(last)
		d[thread]++
		switch _, held := h[l.on]; {
		case l.op == "acq" && held, l.op == "r" && w[l.on] != o.saw[i]:
			continue
		case l.op == "acq":
			h[l.on] = thread
		case l.op == "rel":
			delete(h, l.on)
		case l.op == "w":
			w[l.on] = i
		}
		if o.search(pair, d, h, w) {
			return true
		}
	}
	return false
}

// begun reports whether the thread of a line has been forked, if it ever is.
func (o *orders) begun(done map[int]int, line int) bool {
	name := fmt.Sprintf("T%d", o.lines[line].thread)
	for n, i := range o.of[0] {
		if o.lines[i].op == "fork" && o.lines[i].on == name && n >= done[0] {
			return false
		}
	}
	return true
}

// TestPredictedRacesAreReachable compares with all orders: what is predicted is in one in which all
// reads before see what they saw.
func TestPredictedRacesAreReachable(t *testing.T) {
	counts := map[builtin.Certainty]int{}
	defer func() { t.Log(counts) }()
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLog(t)
		all := newOrders(lines)
		for pair, f := range racesIn(t, lines) {
			counts[f.How]++
			if f.How == builtin.Predicted && !all.reach(pair) {
				t.Fatalf("%v is %v, but in no order lines %d and %d come at once in %v", f.Text, f.How, pair[0], pair[1], lines)
			}
		}
	})
	if counts[builtin.Predicted] == 0 || counts[builtin.Following] == 0 {
		t.Errorf("%v: both should occur", counts)
	}
}

// Data that a plain flag publishes: the race for the data is behind that for the flag.
func TestRaceBehindRace(t *testing.T) {
	found := racesIn(t, []logLine{{0, "w", "x"}, {0, "w", "y"}, {1, "r", "y"}, {1, "r", "x"}})
	flag, data := found[[2]int{2, 1}], found[[2]int{3, 0}]
	if len(found) != 2 || flag.How != builtin.Predicted || data.How != builtin.Following {
		t.Fatalf("%+v", found)
	}
	if notes := strings.Join(data.Notes, "\n"); !strings.Contains(notes, "depends on another race, in which T1 reads at 2 the memory that T0 writes at 1") {
		t.Error(notes)
	}
}
