package builtin

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A wait that ends if a goroutine unlocks what another one has locked is observed only on the
// assumption that none does. If some goroutine has done so before, a deadlock is at most possible.
func TestAssumedUnlocks(t *testing.T) {
	const a, b, once = 1, 2, 3
	do := func(task op.Task, kind op.Kind, object op.Object) op.Op {
		return op.Op{Kind: kind, Task: task, Object: object}
	}
	block := func(task op.Task, want op.Kind, object op.Object) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: want, Object: object}
	}
	start := func(task op.Task) op.Op { return op.Op{Kind: op.Go, Other: task} }
	main, checked := op.Op{Kind: op.Main}, op.Op{Kind: op.Checked, Task: op.NoTask}
	const unlocksA = "; it assumes: no other goroutine unlocks object 1"
	const unlocksThese = "; it assumes: no other goroutine uses these channels or unlocks these locks"
	cycle := []op.Op{do(1, op.Lock, a), do(2, op.Lock, b), block(1, op.Lock, b), block(2, op.Lock, a)}
	lent := []op.Op{do(1, op.Lock, a), do(2, op.Unlock, a), do(2, op.Lock, b), do(1, op.Unlock, b)}
	join := func(all ...[]op.Op) (ops []op.Op) {
		for _, o := range all {
			ops = append(ops, o...)
		}
		return ops
	}
	begin := []op.Op{main, start(1), start(2), start(3)}
	for _, test := range []struct {
		name, want string
		ops        []op.Op
	}{
		{"the holder has ended", "stuck observed of task 2" + unlocksA, join(begin, []op.Op{
			do(1, op.Lock, a), do(1, op.End, 0), block(2, op.Lock, a),
		})},
		{"a Once whose function waits for it", "stuck observed of task 2" + unlocksA, []op.Op{
			start(1), main, start(2), start(3), do(3, op.Lock, a), do(3, op.End, 0),
			do(1, op.Lock, once), block(1, op.Lock, a), block(2, op.Once, once),
		}},
		{"a cycle", "deadlock observed of task 1" + unlocksThese, join(begin, cycle)},
		{"a cycle that something leads to", "deadlock observed of task 1" + unlocksThese,
			join(begin, cycle, []op.Op{checked})},
		{"a cycle of locks that others unlock", "deadlock possible of task 1" + unlocksThese,
			join(begin, lent, cycle, []op.Op{checked})},
		{"of which one goes on", "",
			join(begin, lent, []op.Op{do(3, op.Lock, a), do(2, op.Unlock, a)}, cycle, []op.Op{checked})},
	} {
		c := checkerOf(Deadlock, Stuck)
		for i := range test.ops {
			o := test.ops[i]
			o.At, o.K = op.Place(i+1), int32(i+1)
			c.Op(&o)
		}
		var got []string
		for _, f := range c.Findings(testNames{}) {
			text := string(f.Property) + " " + f.How.String() + " of task " + string(rune('0'+f.Parties[0].Task))
			if f.Guess != nil {
				text += "; it assumes: " + f.Guess.Text
			}
			got = append(got, text)
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
