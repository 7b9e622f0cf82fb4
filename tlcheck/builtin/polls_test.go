package builtin

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that found a channel closed in a select statement, and would have closed it itself.
func TestPolls(t *testing.T) {
	const c, d = 1, 2
	poll := func(task op.Task, took int64, objects ...op.Object) op.Op {
		o := op.Op{Kind: op.Select, Task: task, Arg: took}
		for _, object := range objects {
			o.Cases = append(o.Cases, op.Case{Object: object})
		}
		return o
	}
	closes := op.Op{Kind: op.Close, Task: 1, Object: c}
	found := func(task op.Task) op.Op { return op.Op{Kind: op.RecvClosed, Task: task, Object: c} }
	const byDefault, tried = 1, 2
	for _, test := range []struct {
		name, want string
		ops        script
		places     map[int]op.Place
	}{
		{"both look", "predicted: select@10 close@2", script{
			{Op: poll(1, byDefault, c)}, {Op: closes}, {Op: poll(2, tried, c)}, {Op: found(2), knows: []int{2}},
		}, nil},
		{"the first knows nothing of that", "predicted: select@10 close@1", script{
			{Op: closes}, {Op: poll(2, tried, c)}, {Op: found(2), knows: []int{1}}, {Op: poll(1, byDefault, d)}, {Op: op.Op{Kind: op.Close, Task: 1, Object: d}},
		}, map[int]op.Place{2: 10, 4: 10}},
		{"it was told before", "", script{
			{Op: poll(1, byDefault, c)}, {Op: closes}, {Op: op.Op{Kind: op.Lock, Task: 2}, knows: []int{2}}, {Op: poll(2, tried, c)}, {Op: found(2), knows: []int{2}},
		}, map[int]op.Place{1: 10, 4: 10}},
		{"it has closed itself", "", script{{Op: poll(1, byDefault, c)}, {Op: closes}, {Op: poll(1, tried, c)}, {Op: found(1)}}, nil},
		{"elsewhere", "", script{
			{Op: poll(1, byDefault, c)}, {Op: closes}, {Op: poll(2, tried, c)}, {Op: found(2), knows: []int{2}},
		}, map[int]op.Place{1: 10, 3: 11}},
		{"another case", "", script{
			{Op: poll(1, byDefault, d, c)}, {Op: closes}, {Op: poll(2, tried, c, d)}, {Op: found(2), knows: []int{2}},
		}, nil},
		{"something between", "", script{
			{Op: poll(1, byDefault, c)}, {Op: op.Op{Kind: op.AtomicStore, Task: 1}}, {Op: closes}, {Op: poll(2, tried, c)}, {Op: found(2), knows: []int{3}},
		}, map[int]op.Place{1: 10, 4: 10}},
		{"who finds it open need not close it", "possible: select@10 close@4", script{
			{Op: poll(3, byDefault, c)}, {Op: op.Op{Kind: op.End, Task: 3}}, {Op: poll(1, byDefault, c)}, {Op: closes},
			{Op: poll(2, tried, c)}, {Op: found(2), knows: []int{4}},
		}, map[int]op.Place{1: 10, 3: 10, 5: 10}},
		{"or comes back to look again", "possible: select@10 close@3", script{
			{Op: poll(1, byDefault, c)}, {Op: poll(1, byDefault, c)}, {Op: closes},
			{Op: poll(2, tried, c)}, {Op: found(2), knows: []int{3}},
		}, map[int]op.Place{1: 10, 2: 10, 4: 10}},
		{"who does not go on shows nothing", "predicted: select@10 close@3", script{
			{Op: poll(3, byDefault, c)}, {Op: poll(1, byDefault, c)}, {Op: closes},
			{Op: poll(2, tried, c)}, {Op: found(2), knows: []int{3}},
		}, map[int]op.Place{1: 10, 2: 10, 4: 10}},
		{"no default", "", script{
			{Op: poll(1, byDefault, c)}, {Op: closes}, {Op: poll(2, 0, c)}, {Op: found(2), knows: []int{2}},
		}, nil},
	} {
		places := test.places
		if places == nil {
			places = map[int]op.Place{1: 10, 3: 10}
		}
		found := test.ops.at(places).findings(Closed)
		if got := brief(found); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for _, f := range found { // whoever closes may do so only for what he alone knows
			if f.Guess == nil || !f.IsDoubtful() {
				t.Errorf("%s: %q assumes nothing", test.name, f.Text)
			}
		}
	}
}
