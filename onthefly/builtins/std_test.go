package builtins

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

// step is a line of a log.
type step struct {
	thread  int
	does    string // acq, rel, r, w, fork, join
	operand string
}

func (s step) String() string {
	return fmt.Sprintf("T%d|%s(%s)|%d.%s.%s", s.thread, s.does, s.operand, s.thread, s.does, s.operand)
}

const (
	maxThreads = 4
	maxSteps   = 12
)

// logState is how far a log, or another order of it, has come.
type logState struct {
	started [maxThreads]bool
	holder  map[string]int // of each lock that is held
	at      [maxThreads]int
}

// allows reports whether a step can come next, as far as threads, fork and join, and mutual
// exclusion say.
func (s *logState) allows(next step, length [maxThreads]int) bool {
	if !s.started[next.thread] {
		return false
	}
	switch next.does {
	case "acq":
		_, held := s.holder[next.operand]
		return !held
	case "join":
		other := int(next.operand[1] - '0')
		return s.started[other] && s.at[other] == length[other]
	}
	return true
}

func (s *logState) do(next step) {
	s.at[next.thread]++
	switch next.does {
	case "acq":
		s.holder[next.operand] = next.thread
	case "rel":
		delete(s.holder, next.operand)
	case "fork":
		s.started[int(next.operand[1]-'0')] = true
	}
}

func (s *logState) undo(last step) {
	s.at[last.thread]--
	switch last.does {
	case "acq":
		delete(s.holder, last.operand)
	case "rel":
		s.holder[last.operand] = last.thread
	case "fork":
		s.started[int(last.operand[1]-'0')] = false
	}
}

// drawLog draws a log of a few threads that have ended where others have joined them.
func drawLog(t *rapid.T) []step {
	s := logState{holder: map[string]int{}}
	var log []step
	joined := [maxThreads]bool{}
	threads := rapid.IntRange(1, 3).Draw(t, "initial")
	for range rapid.IntRange(1, 5*maxSteps).Draw(t, "tries") {
		if len(log) == maxSteps {
			break
		}
		var ready []int
		for i := range threads {
			if !joined[i] {
				ready = append(ready, i)
			}
		}
		thread := rapid.SampledFrom(ready).Draw(t, "thread")
		next := step{thread: thread}
		switch rapid.IntRange(0, 9).Draw(t, "does") {
		case 0, 1:
			if threads == maxThreads {
				continue
			}
			next.does, next.operand = "fork", fmt.Sprintf("T%d", threads)
			threads++
		case 2:
			other := rapid.IntRange(0, threads-1).Draw(t, "other")
			held := slices.Contains(values(s.holder), other)
			if other == thread || other == 0 || joined[other] || held {
				continue
			}
			joined[other] = true
			next.does, next.operand = "join", fmt.Sprintf("T%d", other)
		case 3, 4, 5:
			next.does, next.operand = "acq", rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "lock")
			if _, held := s.holder[next.operand]; held {
				continue
			}
		case 6, 7:
			var own []string
			for _, l := range []string{"A", "B", "C"} {
				if holder, held := s.holder[l]; held && holder == thread {
					own = append(own, l)
				}
			}
			if len(own) == 0 {
				continue
			}
			next.does, next.operand = "rel", rapid.SampledFrom(own).Draw(t, "released")
		default:
			next.does = rapid.SampledFrom([]string{"r", "w"}).Draw(t, "access")
			next.operand = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "variable")
		}
		s.do(next)
		log = append(log, next)
	}
	return log
}

func values(m map[string]int) (all []int) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// orders looks at all orders of a log: which accesses can be next to each other, as pairs of lines,
// and which threads can wait for each other's locks.
type orders struct {
	own    [maxThreads][]step
	length [maxThreads]int
	state  logState
	seen   map[string]bool
	races  map[[2]string]bool
	cycles map[string]bool // the lines at which threads wait, sorted
}

func allOrders(log []step) *orders {
	o := &orders{state: logState{holder: map[string]int{}}, seen: map[string]bool{}, races: map[[2]string]bool{}, cycles: map[string]bool{}}
	for i := range maxThreads {
		o.state.started[i] = !slices.ContainsFunc(log, func(s step) bool { return s.does == "fork" && s.operand == fmt.Sprintf("T%d", i) })
	}
	for _, s := range log {
		o.own[s.thread] = append(o.own[s.thread], s)
		o.length[s.thread]++
	}
	o.explore()
	return o
}

func (o *orders) explore() {
	key := fmt.Sprint(o.state.at) // who holds what follows
	if o.seen[key] {
		return
	}
	o.seen[key] = true
	var next []step
	for thread, own := range o.own {
		if at := o.state.at[thread]; at < len(own) && o.state.started[thread] {
			next = append(next, own[at])
		}
	}
	o.look(next)
	for _, s := range next {
		if o.state.allows(s, o.length) {
			o.state.do(s)
			o.explore()
			o.state.undo(s)
		}
	}
}

// look notes races of what is next, and threads that wait for each other.
func (o *orders) look(next []step) {
	for i, a := range next {
		for _, b := range next[:i] {
			if a.operand == b.operand && conflict(a, b) {
				pair := []string{a.String(), b.String()}
				slices.Sort(pair)
				o.races[[2]string(pair)] = true
			}
		}
	}
	for _, a := range next {
		var cycle []string
		for b, n := a, 0; n <= maxThreads; n++ {
			holder, held := o.state.holder[b.operand]
			if b.does != "acq" || !held || holder == b.thread {
				break
			}
			cycle = append(cycle, b.String())
			i := slices.IndexFunc(next, func(s step) bool { return s.thread == holder })
			if i < 0 {
				break
			}
			if b = next[i]; b == a {
				slices.Sort(cycle)
				o.cycles[strings.Join(cycle, " ")] = true
				break
			}
		}
	}
}

// unordered returns which two threads race for which variable if lines are ordered as those of a
// thread, by fork and join, and from a release to the next acquire of the lock: found by closing
// that relation.
func unordered(log []step) map[string]bool {
	n := len(log)
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
		for j := range i {
			a, b := log[j], log[i]
			before[j][i] = a.thread == b.thread || a.does == "rel" && b.does == "acq" && a.operand == b.operand ||
				a.does == "fork" && (a.operand == fmt.Sprintf("T%d", b.thread) || b.does == "join" && a.operand == b.operand) || b.does == "join" && b.operand == fmt.Sprintf("T%d", a.thread)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	races := map[string]bool{}
	for i, b := range log {
		for j, a := range log[:i] {
			if !before[j][i] && a.operand == b.operand && conflict(a, b) {
				races[racers(a, b)] = true
			}
		}
	}
	return races
}

// conflict reports whether two accesses to a variable do.
func conflict(a, b step) bool {
	return a.does == "w" && strings.Contains("rw", b.does) || b.does == "w" && strings.Contains("rw", a.does)
}

// racers names two threads and what they race for.
func racers(a, b step) string {
	return fmt.Sprintf("T%d, T%d: %s", min(a.thread, b.thread), max(a.thread, b.thread), a.operand)
}

// Threads that nobody forks are as independent of each other as others, also if a lock is the first
// that they take.
func TestInitialThreads(t *testing.T) {
	const text = "T1|acq(A)|1\nT1|acq(B)|2\nT1|rel(B)|3\nT1|rel(A)|4\nT2|acq(B)|5\nT2|acq(A)|6\nT2|rel(A)|7\nT2|rel(B)|8\n"
	r := std.NewReader(strings.NewReader(text), "log", std.Options{})
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	k := New(h, Config{Properties: []builtin.Property{builtin.Deadlock}})
	for e := new(event.Event); r.Next(e) == nil; {
		k.Add(e)
	}
	if results := k.Results(""); len(results) != 1 || results[0].Finding == nil {
		t.Error("no deadlock")
	}
}

// Operations of the runtime's own contexts, which no program records, are nobody's.
func TestOperationsOfNobody(t *testing.T) {
	for kind := event.RecordKind(1); kind < ring.KindCount; kind++ {
		for o := range uint64(ring.OpCount) {
			k := New(&event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true}}, config)
			p := new(program)
			p.add(ring.KindCtxStart, 1, 9, 0, 0)
			p.add(kind, 9, 0x5000, 2, o)
			p.add(kind, 9, 0x5000, 0x5000, o)
			for _, e := range p.events {
				k.Add(e)
			}
			k.Results("")
		}
	}
}

// Of small logs, races and deadlocks are reported that some order of the log has, and a race of two
// threads for a variable if happens-before has one.
func TestAllOrdersOfLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		var text strings.Builder
		for i, s := range log {
			fmt.Fprintf(&text, "T%d|%s(%s)|%d\n", s.thread, s.does, s.operand, i)
		}
		if len(log) == 0 {
			return
		}
		r := std.NewReader(strings.NewReader(text.String()), "log", std.Options{})
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		k := New(h, Config{Properties: []builtin.Property{builtin.Race, builtin.Deadlock}})
		for e := new(event.Event); ; {
			if err := r.Next(e); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v\n%s", err, &text)
			}
			k.Add(e)
		}
		want, missed := allOrders(log), unordered(log)
		line := func(at string) step {
			var i int
			if _, err := fmt.Sscan(at, &i); err != nil {
				t.Fatal(err)
			}
			return log[i]
		}
		for _, result := range k.Results("") {
			f := result.Finding
			if f == nil {
				continue
			}
			var parties []string
			for _, p := range f.Parties {
				parties = append(parties, line(result.Names.Place(p.At).At).String())
			}
			slices.Sort(parties)
			switch result.Builtin {
			case builtin.Race:
				delete(missed, racers(line(result.Names.Place(f.Parties[0].At).At), line(result.Names.Place(f.Parties[1].At).At)))
				if !want.races[[2]string(parties)] {
					t.Fatalf("no order has the race of %v\n%s", parties, &text)
				}
			case builtin.Deadlock:
				if !want.cycles[strings.Join(parties, " ")] {
					t.Fatalf("no order has the deadlock of %v\n%s", parties, &text)
				}
			}
		}
		if len(missed) > 0 {
			t.Fatalf("not reported: %v\n%s", missed, &text)
		}
	})
}
