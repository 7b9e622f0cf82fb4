package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that looks under a lock whether a channel is closed, and sets that in another section, is
// a candidate if another one came to its first section later, for all that is known but the lock.
func TestGuardedFlags(t *testing.T) {
	const mu, other, c = 1, 2, 3
	// steps makes the operations of a task, from number 1 on, at places of their own.
	steps := func(task op.Task, kinds ...op.Kind) []op.Op {
		var all []op.Op
		for i, k := range kinds {
			o := op.Op{Kind: k, Task: task, K: int32(i + 1), Object: mu, At: op.Place(i + 1)}
			if k == op.Close {
				o.Object = c
			}
			all = append(all, o)
		}
		return all
	}
	of := func(lock op.Object, all []op.Op) []op.Op {
		for i := range all {
			if all[i].Object == mu {
				all[i].Object = lock
			}
		}
		return all
	}
	knows := func(k int32, all []op.Op) []op.Op {
		for i := range all {
			all[i].Free = heard(1, k)
		}
		return all
	}
	reads := func(moment int32) op.Op {
		return op.Op{Kind: op.ReadFrom, Task: 2, Other: 1, Access: op.Access{Moment: 1, OtherMoment: moment}}
	}
	closer := steps(1, op.Lock, op.Unlock, op.Lock, op.Unlock, op.Close)
	looks := steps(2, op.Lock, op.Unlock)
	for name, test := range map[string]struct {
		ops      [][]op.Op
		recorded bool   // accesses to memory
		want     string // the places of the later section, and of the close
	}{
		"behind the section": {[][]op.Op{closer, looks}, false, "1 5"},
		"in the section": {[][]op.Op{steps(1, op.Lock, op.Unlock, op.Lock, op.Close, op.Unlock), looks},
			false, "1 4"},
		"before the section": {[][]op.Op{steps(1, op.Lock, op.Unlock, op.Close, op.Lock, op.Unlock), looks},
			false, "1 3"},
		"reads the flag": {[][]op.Op{steps(1, op.RLock, op.RUnlock, op.Lock, op.Unlock, op.Close),
			steps(2, op.RLock, op.RUnlock)}, false, "1 5"},
		"before the close": {[][]op.Op{closer[:3], looks, closer[3:]}, false, ""},
		"one section":      {[][]op.Op{steps(1, op.Lock, op.Unlock, op.Close), looks}, false, ""},
		"in the first section": {[][]op.Op{steps(1, op.Lock, op.Close, op.Unlock, op.Lock, op.Unlock), looks},
			false, ""},
		"much in between": {[][]op.Op{steps(1, op.Lock, op.Unlock, op.Signal, op.Signal, op.Signal, op.Signal,
			op.Signal, op.Lock, op.Unlock, op.Close), looks}, false, ""},
		"another lock":            {[][]op.Op{closer, of(other, steps(2, op.Lock, op.Unlock))}, false, ""},
		"another line":            {[][]op.Op{closer, steps(2, op.Signal, op.Lock, op.Unlock)}, false, ""},
		"the same task":           {[][]op.Op{closer, steps(1, op.Lock, op.Unlock)}, false, ""},
		"it has to wait":          {[][]op.Op{closer, knows(5, steps(2, op.Lock, op.Unlock))}, false, ""},
		"it knows the look":       {[][]op.Op{closer, knows(2, steps(2, op.Lock, op.Unlock))}, false, "1 5"},
		"sees the flag":           {[][]op.Op{closer, looks[:1], {reads(3)}, looks[1:]}, true, "1 5"},
		"sees nothing":            {[][]op.Op{closer, looks}, true, ""},
		"sees what came before":   {[][]op.Op{closer, looks[:1], {reads(1)}, looks[1:]}, true, ""},
		"sees it behind its look": {[][]op.Op{closer, looks, {reads(3)}}, true, ""},
		"the lock has been freed": {[][]op.Op{closer, {{Kind: op.Free, Task: op.NoTask, Object: mu}}, looks},
			false, ""},
		"a task that came earlier": {[][]op.Op{looks, closer}, false, ""},
	} {
		checker := checkerOf(Closed)
		if !test.recorded {
			checker.LacksAccesses()
		}
		for _, o := range slices.Concat(test.ops...) {
			checker.Op(&o)
		}
		found := checker.Findings(testNames{})
		var got []string
		for _, f := range checker.Candidates(testNames{}, found) {
			got = append(got, fmt.Sprint(f.Parties[0].At, " ", f.Parties[1].At))
			if f.How != Possible || len(f.Schedule) != 3 {
				t.Errorf("%s: %v, %v", name, f.How, f.Schedule)
			}
		}
		if strings.Join(got, ",") != test.want || len(found) > 0 {
			t.Errorf("%s: %v, want %q; %d findings", name, got, test.want, len(found))
		}
	}
}
