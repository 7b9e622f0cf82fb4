package stubborn_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
)

// TestLocalStates goes along all moves of programs: the local state of the process that moves is
// the one that is foreseen, and no other process gets into another one.
func TestLocalStates(t *testing.T) {
	ofBothKinds(t, localStates, "changed")
}

func localStates(t *testing.T, programs *rapid.Generator[*gcl.File], seen map[string]int) {
	rapid.Check(t, func(t *rapid.T) {
		f := programs.Draw(t, "program")
		program, err := gcl.New(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		local := stubborn.LocalOf(program)
		if _, err := kripke.Explore(context.Background(), kripke.AtMost(program, mostStates)); err != nil {
			seen["not all states"]++
		}
		for s := range kripke.State(min(program.States(), mostStates)) {
			before := program.Values(nil, s)
			for _, a := range program.Enabled(nil, s) {
				m, err := program.Take(s, a)
				if err != nil {
					continue
				}
				after := program.Values(nil, m.To)
				for i := range program.Processes() {
					was, is := local.Number(i, before), local.Number(i, after)
					switch {
					case int32(i) != m.Process && was != is:
						t.Fatalf("action %d from state %d changes process %d\n%s", a, s, i, gcl.Format(f))
					case was != is:
						seen["changed"]++
					}
				}
				was, is := local.Number(int(m.Process), before), local.Number(int(m.Process), after)
				if next, ok := local.After(was, int(a)); !ok || next != is {
					t.Fatalf("action %d from state %d leads to local state %d, not %d, %v\n%s", a, s, is, next, ok,
						gcl.Format(f))
				}
			}
		}
	})
}

// Variables with large ranges are left out, and what depends on them.
func TestLargeVariables(t *testing.T) {
	sys := program(t, `
param n = 1;
process P
  declare small : [0..3]; large : [0..1000000]; copied : [0..3];
  a : { small := (small + 1) % 4; large := large + 1; goto a; }
    | { copied := large % 4; goto a; }
end`, 1)
	if got := stubborn.LocalOf(sys).Count(0); got != 4 {
		t.Errorf("%d local states, want 4", got)
	}
}

// Many processes have fewer local states each, which are made before a search begins that has a
// time limit.
func TestManyLocalStates(t *testing.T) {
	const processes = 400
	sys := program(t, `
param n = 1;
for i in 1..n process P[i]
  declare small[i] : [0..3]; large[i] : [0..2000];
  a : { small[i] := (small[i] + 1) % 4; goto a; }
    | { large[i] := (large[i] + 1) % 2001; goto a; }
end`, processes)
	local := stubborn.LocalOf(sys)
	for i := range processes {
		if n := local.Count(i); n != 4 {
			t.Fatalf("process %d has %d local states, want 4", i, n)
		}
	}
}
