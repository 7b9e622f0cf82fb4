package builtin

import (
	"fmt"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

func TestCopy(t *testing.T) {
	const mu, wg = 1, 2
	use := op.Op{Kind: op.Lock, Task: 1, Object: mu, At: 10}
	unlock := op.Op{Kind: op.Unlock, Task: 1, Object: mu}
	copied := func(object op.Object, at op.Place) op.Op { return op.Op{Kind: op.Copy, Object: object, At: at} }
	over := op.Op{Kind: op.Copy, Object: mu, At: 30, Arg: 1}
	for _, test := range []struct {
		name string
		ops  []op.Op
		want []string
	}{
		{"never used", []op.Op{copied(mu, 20), use}, nil},
		{"used", []op.Op{use, copied(mu, 20)}, []string{"main at x.go:20 copies object 1, which main.1 has locked at x.go:10 and not unlocked"}},
		{"unlocked", []op.Op{use, unlock, copied(mu, 20)}, []string{"main at x.go:20 copies object 1, which main.1 has locked at x.go:10"}},
		{"once while it was locked", []op.Op{use, unlock, copied(mu, 20), use, copied(mu, 20), unlock, copied(mu, 20)}, []string{"main at x.go:20 copies object 1, which main.1 has locked at x.go:10 and not unlocked (3)"}},
		{"another one was used", []op.Op{use, copied(wg, 20)}, nil},
		{"written over", []op.Op{use, over, copied(mu, 20)}, nil},
		{"used once more", []op.Op{use, over, use, copied(mu, 20)}, []string{"main at x.go:20 copies object 1, which main.1 has locked at x.go:10 and not unlocked"}},
		{"freed", []op.Op{use, {Kind: op.Free, Task: op.NoTask, Object: mu}, copied(mu, 20)}, nil},
		{"by the library", []op.Op{use, copied(mu, 1020)}, nil},
		{"two in a value, and again", []op.Op{
			use, {Kind: op.Add, Object: wg, Arg: 1, At: 11}, copied(mu, 20), copied(wg, 20), copied(mu, 20), copied(wg, 21),
		}, []string{
			"main at x.go:20 copies object 1, which main.1 has locked at x.go:10 and not unlocked (3)",
			"main at x.go:21 copies object 2, which main has added to at x.go:11",
		}},
	} {
		c := checkerOf(Copy)
		for i := range test.ops {
			c.Op(&test.ops[i])
		}
		var got []string
		for _, f := range c.Findings(testNames{}) {
			if f.How != Observed || len(f.Parties) != 2 {
				t.Errorf("%s: %+v", test.name, f)
			}
			if f.Count > 1 {
				f.Text += fmt.Sprintf(" (%d)", f.Count)
			}
			got = append(got, f.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
