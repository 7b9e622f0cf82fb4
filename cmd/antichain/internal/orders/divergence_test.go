package orders

import (
	"errors"
	"testing"

	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tracer/op"
)

// TestDivergence checks what is said of runs that do not begin as they should.
func TestDivergence(t *testing.T) {
	locks := []op.Op{
		{Kind: op.Lock, Task: 1, Object: 3, At: 5}, {Kind: op.Unlock, Task: 1, Object: 3, At: 6},
		{Kind: op.Lock, Task: 1, Object: 3, At: 7}, {Kind: op.Unlock, Task: 1, Object: 3, At: 8},
	}
	cases := []op.Case{{Object: 20}, {Object: 21}}
	chooses := func(channel op.Object) []op.Op {
		return []op.Op{
			{Kind: op.MakeChan, Object: 20, Arg: 1}, {Kind: op.MakeChan, Object: 21, Arg: 1},
			{Kind: op.Send, Task: 2, Object: 20, At: 2}, {Kind: op.Send, Task: 2, Object: 21, At: 3},
			{Kind: op.Select, Task: 1, Cases: cases, At: 4}, {Kind: op.Recv, Task: 1, Object: channel, At: 4},
		}
	}
	for _, tt := range []struct {
		name         string
		first, again []op.Op
		want         string
	}{
		{"another place", locks, append([]op.Op{{Kind: op.Lock, Task: 1, Object: 3, At: 9}}, locks[1:]...),
			"main.1 did a lock at m.go:9, which was a lock at m.go:5 before"},
		{"another kind", locks, []op.Op{{Kind: op.Close, Task: 1, Object: 20, At: 5}},
			"main.1 did a close at m.go:5, which was a lock at m.go:5 before"},
		{"nothing", locks, locks[:2], "main.1 did not come to its lock at m.go:7"},
		{"another case", chooses(20), chooses(21), "main.1 took another case of its select at m.go:4"},
	} {
		n := NewNumbers()
		first, err := n.Run(watch(append(tt.first, end...)...), program{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Run(watch(append(tt.first, end...)...), program{}, first.Steps); err != nil {
			t.Errorf("%s: the same run: %v", tt.name, err)
		}
		_, err = n.Run(watch(append(tt.again, end...)...), program{}, first.Steps)
		if !errors.Is(err, unfolding.ErrDiverged) {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := n.Divergence(err); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
