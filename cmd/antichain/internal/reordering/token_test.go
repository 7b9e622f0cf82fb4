package reordering

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/san"
	lattices "github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// use is what a goroutine did with a channel with room for one element.
type use struct {
	by    int  // from 0
	tries bool // in vain
	sends bool
	value int64 // of the element; less than 0 if the run does not tell

	library bool // does it for him
}

func (u use) String() string {
	what := map[bool]string{true: "sends", false: "receives"}[u.sends]
	if u.tries {
		return fmt.Sprintf("%d tries: %s", u.by, what)
	}
	return fmt.Sprintf("%d %s %d", u.by, what, u.value)
}

const users = 3

// drawUses draws a run, mostly of a channel that is a lock from some point on.
func drawUses(t *rapid.T) (uses []use) {
	full, value := false, int64(0)
	last := 0
	alike := rapid.IntRange(0, 20).Draw(t, "alike")
	startsFull := rapid.Bool().Draw(t, "starts full")
	for range rapid.IntRange(0, 12).Draw(t, "length") {
		by := rapid.IntRange(0, users-1).Draw(t, "by")
		u := use{by: by, sends: !full}
		switch {
		case len(uses) > 0 && rapid.IntRange(0, 9).Draw(t, "tries") == 0:
			uses = append(uses, use{by: by, tries: true, sends: full})
			continue
		case startsFull == u.sends && rapid.IntRange(0, 19).Draw(t, "hands over") < alike:
			u.by = last
		}
		if last = u.by; u.sends {
			value = int64(1 + rapid.IntRange(0, 20).Draw(t, "other")/20)
			if rapid.IntRange(0, 20).Draw(t, "unknown") == 0 {
				value = -1 - int64(len(uses))
			}
		}
		u.value, full = value, u.sends
		u.library = rapid.IntRange(0, 40).Draw(t, "library") == 0
		uses = append(uses, u)
	}
	return uses
}

// isToken reports whether the channel is a lock that starts full.
func isToken(uses []use) bool {
	var first *use
	holder := -1
	for i := range uses {
		u := &uses[i]
		switch {
		case u.tries:
		case u.library:
			return false
		case first == nil:
			first = u
		case u.value != first.value || u.value < 0:
			return false
		case !u.sends:
			holder = u.by
		case u.by != holder:
			return false
		}
	}
	return true
}

// symbols are of code in which all that has a place is in the standard library.
type symbols struct{}

func (symbols) Function(uint64) string                              { return "f" }
func (symbols) Position([ring.PCs]uint64) (at string, library bool) { return "", false }
func (symbols) Calls([]uint64) iter.Seq[op.Call]                    { return func(func(op.Call) bool) {} }
func (symbols) Location(pcs []uint64) op.Location                   { return op.Location{Library: pcs[0] != 0} }

// freed returns the net of a run without the order of sections. Each use is an event, but for those
// in vain.
func freed(t *rapid.T, uses []use) *san.Net {
	const channel = 100
	tr := santest.Trace{}
	order := causality.New(causality.Options{Full: true, Sections: true, Watch: op.Discard, Symbols: symbols{}, Keep: func(e *event.Event) error {
		tr.Events = append(tr.Events, e.Clone())
		return nil
	}})
	records := []ring.Record{{Kind: ring.KindMakeChan, Ctx: 1, Addr: channel, Aux: 1}}
	for g := range uint64(users) {
		records = append(records, ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: 2 + g, Aux: 7})
	}
	for _, u := range uses {
		r := ring.Record{Kind: ring.KindRecv, Ctx: uint64(2 + u.by), Addr: channel}
		switch {
		case u.tries && u.sends:
			r.Kind, r.Aux, r.Arg = ring.KindTry, channel, ring.OpSend
		case u.tries:
			r.Kind, r.Aux, r.Arg = ring.KindTry, channel, ring.OpRecv
		case u.sends:
			r.Kind, r.Arg = ring.KindSend, uint64(max(u.value, 0))<<ring.OpShift
		}
		if u.library {
			r.PC[0] = 1
		}
		records = append(records, r)
	}
	for i := range records {
		records[i].Index = uint64(i)
		if err := order.Feed(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := order.Finish(); err != nil {
		t.Fatal(err)
	}
	tr.Header = &event.Header{Version: 2, Tasks: order.InitialTasks()}
	return tr.MustBuild()
}

// replay reports whether the goroutines can do, in the order of the run, the first uses of each, up
// to its last one of so many that are not in vain, and receive what they have received in the run.
func replay(uses []use, upTo [users]int) bool {
	full, value := false, int64(0)
	var done [users]int
	for _, u := range uses {
		switch {
		case done[u.by] == upTo[u.by]:
		case u.tries && full != u.sends, !u.tries && full == u.sends, !u.tries && !u.sends && value != u.value:
			return false
		case !u.tries:
			if full = u.sends; u.sends {
				value = u.value
			}
			done[u.by]++
		}
	}
	return true
}

// TestTokens compares the states of a channel that may be a lock with all those that its uses can
// lead to in the order of the run.
func TestTokens(t *testing.T) {
	tokens := 0
	enough := func() bool { return tokens > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		uses := drawUses(t)
		net := freed(t, uses)
		lattice := lattices.NewLattice(net)
		sections := lattices.NewSections(lattice)
		counts, first := make([]int, net.Tasks()), net.Tasks()-users
		for i := range first {
			counts[i] = net.Len(san.Task(i))
		}
		var upTo [users]int
		var try func(n int)
		try = func(n int) {
			if n < users {
				for upTo[n] = range net.Len(san.Task(first+n)) + 1 {
					counts[first+n] = upTo[n]
					try(n + 1)
				}
				return
			}
			valid := false
			if i, ok := lattice.Ideal(counts); ok {
				closed, ok := sections.Closure(i)
				valid = ok && closed.Equal(i)
			}
			possible := replay(uses, upTo)
			if valid && !possible {
				t.Fatalf("after %v of %v, which cannot be", upTo, uses)
			}
			if !isToken(uses) || strings.Contains(fmt.Sprint(uses), "tries") {
				return
			}
			if tokens++; possible && !valid {
				t.Fatalf("after %v of %v is missing", upTo, uses)
			}
		}
		try(0)
	})
	if !enough() {
		t.Error("no channel was a lock that starts full")
	}
}
