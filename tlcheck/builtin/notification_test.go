package builtin

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that has left a message in a channel with room for one holds nothing, unless the channel
// serves as a lock.
func TestMessageIsNoLock(t *testing.T) {
	const c, d, note = 1, 2, 3
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: note, Arg: 1}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Handoff, Task: 1, Other: 2, Object: d}},
	}
	polls := script{{Op: op.Op{Kind: op.Select, Arg: op.TookDefault, Cases: []op.Case{{Object: note}}}}}
	waits := script{{Op: op.Op{Kind: op.Block, Want: op.Recv, Object: note}}, {Op: op.Op{Kind: op.Recv, Object: note}}}
	sends := script{{Op: op.Op{Kind: op.Send, Task: 1, Object: note, Locking: true}}}
	takes := script{{Op: op.Op{Kind: op.Recv, Task: 1, Object: note, Locking: true}}}
	hang := script{
		{Op: op.Op{Kind: op.Handoff, Task: 2, Other: 1, Object: c}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Recv, Object: c}},
		{Op: op.Op{Kind: op.Block, Task: 2, Want: op.Recv, Object: d}},
		{Op: op.Op{Kind: op.Left}},
	}
	for _, test := range []struct {
		name  string
		ops   script
		holds bool
	}{
		{"a message", sends, false},
		{"a message for one that has polled", slices.Concat(polls, sends), false},
		{"a message for one that polls", slices.Concat(sends, polls), false},
		{"the second message for one that has waited", slices.Concat(sends, waits, sends), false},
		{"a lock that it has held before", slices.Concat(sends, takes, sends), true},
		{"what it once took back from one that has polled", slices.Concat(polls, sends, takes, sends), false},
	} {
		found := slices.Concat(begin, test.ops, hang).findings(Deadlock)
		if len(found) != 1 || found[0].How != Observed {
			t.Errorf("%s: %s", test.name, brief(found))
			continue
		}
		holds := slices.ContainsFunc(found[0].Parties, func(p Party) bool { return len(p.Holds) > 0 })
		if holds != test.holds {
			t.Errorf("%s is held: %v", test.name, holds)
		}
	}
}
