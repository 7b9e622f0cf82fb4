package builtin

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A panic is reported once, unless it is by a misuse, which is reported as that.
func TestPanic(t *testing.T) {
	panicked := func(task op.Task, at op.Place) op.Op {
		return op.Op{Kind: op.Misuse, Task: task, K: 2, At: at, Arg: int64(op.Panicked)}
	}
	misuse := op.Op{Kind: op.Misuse, Task: 1, K: 1, At: 7, Arg: int64(op.CloseNil)}
	for _, test := range []struct {
		name  string
		ops   []op.Op
		panic []op.Place
		count int
	}{
		{"none", []op.Op{{Kind: op.End, Task: 1}, {Kind: op.Left}}, nil, 0},
		{"one", []op.Op{panicked(1, 3)}, []op.Place{3}, 1},
		{"two at one place", []op.Op{panicked(1, 3), panicked(2, 3)}, []op.Place{3}, 2},
		{"two places", []op.Op{panicked(1, 3), panicked(2, 4)}, []op.Place{3, 4}, 1},
		{"inside of the library", []op.Op{panicked(1, 1003)}, nil, 0},
		{"inside of a call of the library", []op.Op{panicked(1, 2003)}, []op.Place{2003}, 1},
		{"a misuse", []op.Op{misuse, panicked(1, 7)}, nil, 0},
		{"a misuse that was recovered", []op.Op{misuse, panicked(1, 3)}, []op.Place{3}, 1},
		{"of another task", []op.Op{misuse, panicked(2, 3)}, []op.Place{3}, 1},
		{"of a task that has ended since", []op.Op{misuse, {Kind: op.End, Task: 1}, panicked(1, 3)}, []op.Place{3}, 1},
	} {
		c := checkerOf(Closed, Panic)
		for i := range test.ops {
			c.Op(&test.ops[i])
		}
		var at []op.Place
		for _, f := range c.Findings(testNames{}) {
			if f.Property != Panic {
				continue
			}
			at = append(at, f.Parties[0].At)
			if f.How != Observed || f.Count != test.count {
				t.Errorf("%s: %v, %d times", test.name, f.How, f.Count)
			}
		}
		if fmt.Sprint(at) != fmt.Sprint(test.panic) {
			t.Errorf("%s: panics at %v, want %v", test.name, at, test.panic)
		}
	}
}
