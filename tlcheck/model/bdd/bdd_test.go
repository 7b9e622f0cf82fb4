package bdd_test

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/bdd"
)

// variables is how many variables the tests have: a function is 64 bits, one for the values that
// are the bits of their index.
const variables = 6

// truth is a function as all its values.
type truth uint64

func variable(n int) (t truth) {
	for i := range 64 {
		t |= truth(i>>n&1) << i
	}
	return t
}

// with returns the function with a variable set to a value.
func (t truth) with(n, value int) (r truth) {
	for i := range 64 {
		r |= t >> (i&^(1<<n) | value<<n) & 1 << i
	}
	return r
}

func (t truth) exists(n int) truth { return t.with(n, 0) | t.with(n, 1) }

// pair is a function in both forms.
type pair struct {
	is   *bdd.Function
	want truth
}

// TestFunctions combines functions, and checks that those kept do not change.
func TestFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := bdd.New()
		if rapid.Bool().Draw(t, "collisions") {
			bdd.RememberOne(table)
		}
		functions := []pair{{table.Constant(true), ^truth(0)}, {table.Constant(false), 0}}
		for n := range variables {
			functions = append(functions, pair{table.Variable(n), variable(n)})
		}
		pick := func(what string) pair {
			return functions[rapid.IntRange(0, len(functions)-1).Draw(t, what)]
		}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			f, g := pick("f"), pick("g")
			var r pair
			switch rapid.IntRange(0, 8).Draw(t, "operation") {
			case 0:
				r = pair{f.is.Not(), ^f.want}
			case 1:
				r = pair{f.is.And(g.is), f.want & g.want}
			case 2:
				r = pair{f.is.Or(g.is), f.want | g.want}
			case 3:
				r = pair{f.is.Minus(g.is), f.want &^ g.want}
			case 4, 5:
				r = pair{f.is.Xor(g.is), f.want ^ g.want}
			case 6:
				h := pick("h")
				r = pair{f.is.Choose(g.is, h.is), f.want&g.want | ^f.want&h.want}
			case 7:
				among := subset(t, "cube", all()...)
				r = pair{f.is.AndExists(g.is, table.Cube(among)), f.want & g.want}
				for _, n := range among {
					r.want = r.want.exists(n)
				}
			case 8:
				bdd.Collect(table)
				continue
			}
			functions = append(functions, r)
			if len(functions) > 20 { // some are forgotten
				functions = slices.Delete(functions, 3, 3+rapid.IntRange(1, 12).Draw(t, "forgotten"))
			}
		}
		for _, f := range functions {
			f.check(t)
			for _, g := range functions {
				if f.is.Equal(g.is) != (f.want == g.want) {
					t.Fatalf("%x and %x are equal: %v", f.want, g.want, f.is.Equal(g.is))
				}
			}
		}
	})
}

// all are the numbers of the variables.
func all() []int {
	var numbers []int
	for n := range variables {
		numbers = append(numbers, n)
	}
	return numbers
}

func (p pair) check(t *rapid.T) {
	var got truth
	for i := range 64 {
		if p.is.Holds(func(n int) bool { return i>>n&1 == 1 }) {
			got |= 1 << i
		}
	}
	var listed truth
	for values := range p.is.All(all()) {
		i := 0
		for n, value := range values {
			if value {
				i |= 1 << n
			}
		}
		listed |= 1 << i
	}
	if got != p.want || listed != p.want || p.is.IsTrue() != (^p.want == 0) || p.is.IsFalse() != (p.want == 0) {
		t.Fatalf("true in %x and %x, want %x", got, listed, p.want)
	}
	if n := p.is.Count(all()); n.Int64() != int64(bits.OnesCount64(uint64(p.want))) {
		t.Fatalf("%x is true in %d", p.want, n)
	}
}

// subset draws some of numbers.
func subset(t *rapid.T, what string, of ...int) []int {
	some := rapid.SliceOfDistinct(rapid.SampledFrom(of), rapid.ID[int]).Draw(t, what)
	slices.Sort(some)
	return some
}

// function returns the function with these values.
func (t truth) function(table *bdd.Table) *bdd.Function {
	f := table.Constant(false)
	for i := range 64 {
		if t>>i&1 == 0 {
			continue
		}
		f = f.Or(table.Values(all(), func(n int) bool { return i>>n&1 == 1 }))
	}
	return f
}

// relation changes some of the variables 0, 2 and 4; those behind them are their next values. The
// values of the variables of a set are a state, whose bit n is variable 2n.
type relation struct {
	is      *bdd.Relation
	changes []int
	want    truth
}

// state returns the values of variables in a state, and those of their next ones in another.
func state(now, next int) (values int) {
	for n := range 3 {
		values |= now >> n & 1 << (2 * n)
		values |= next >> n & 1 << (2*n + 1)
	}
	return values
}

// leads reports whether the relation leads from one state to another.
func (r *relation) leads(from, to int) bool {
	for n := range 3 {
		if from>>n&1 != to>>n&1 && !slices.Contains(r.changes, 2*n) {
			return false
		}
	}
	return r.want>>state(from, to)&1 == 1
}

func drawRelation(t *rapid.T, table *bdd.Table) *relation {
	r := &relation{changes: subset(t, "changes", 0, 2, 4)}
	r.want = truth(rapid.Uint64().Draw(t, "relation"))
	for range rapid.IntRange(0, 3).Draw(t, "fewer") {
		r.want &= truth(rapid.Uint64().Draw(t, "of them"))
	}
	for n := 0; n < variables; n += 2 {
		if !slices.Contains(r.changes, n) {
			r.want = r.want.with(n+1, 0)
		}
	}
	r.is = r.want.function(table).Relation(r.changes)
	return r
}

// set draws a set of states, in both forms; bit s of a number is state s.
func set(t *rapid.T, table *bdd.Table, what string) (*bdd.Function, uint8) {
	states := rapid.Uint8().Draw(t, what)
	var values truth
	for i := range 64 {
		if s := i&1 | i>>1&2 | i>>2&4; states>>s&1 == 1 {
			values |= 1 << i
		}
	}
	return values.function(table), states
}

// states returns the number of a set.
func states(f *bdd.Function) (in uint8) {
	for values := range f.All([]int{0, 2, 4}) {
		s := 0
		for n, value := range values {
			if value {
				s |= 1 << n
			}
		}
		in |= 1 << s
	}
	return in
}

// TestRelations compares what relations lead to and from, and closures, with what follows from
// single states.
func TestRelations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := bdd.New()
		var relations []*relation
		var are []*bdd.Relation
		for range rapid.IntRange(1, 4).Draw(t, "relations") {
			r := drawRelation(t, table)
			relations, are = append(relations, r), append(are, r.is)
		}
		if rapid.Bool().Draw(t, "collisions") {
			bdd.RememberOne(table)
		}
		start, from := set(t, table, "start")
		within, in := set(t, table, "within")
		if rapid.IntRange(0, 7).Draw(t, "collect") == 0 {
			bdd.CollectAlways(table)
		}
		for _, r := range relations {
			if got, want := states(start.Image(r.is)), after(from, r, false); got != want {
				t.Fatalf("image %b, want %b", got, want)
			}
			if got, want := states(start.Preimage(r.is)), after(from, r, true); got != want {
				t.Fatalf("preimage %b, want %b", got, want)
			}
		}
		for _, back := range []bool{false, true} {
			want := from
			for before := ^want; before != want; {
				before = want
				for _, r := range relations {
					want |= in & after(want, r, back)
				}
			}
			if got := states(start.Closure(within, are, back)); got != want {
				t.Fatalf("closure of %b within %b, back %v: %b, want %b", from, in, back, got, want)
			}
		}
	})
}

// after returns the successors, or the predecessors, of some states.
func after(from uint8, r *relation, back bool) (to uint8) {
	for s := range 8 {
		for next := range 8 {
			if back && r.leads(next, s) || !back && r.leads(s, next) {
				to |= from >> s & 1 << next
			}
		}
	}
	return to
}

// hidden is a function with exponentially many nodes: bit n of a number is the one of another that
// stands at the place of n, far away.
func hidden(table *bdd.Table, n int) *bdd.Function {
	f := table.Constant(true)
	for i := range n {
		f = f.And(table.Variable(i).Xor(table.Variable(n + i)))
	}
	return f
}

// Nodes that no function needs are used again.
func TestCollect(t *testing.T) {
	table := bdd.New()
	keep := hidden(table, 8)
	want := keep.Count(slices.Collect(numbers(16)))
	for i := range 200 {
		hidden(table, 13).And(table.Variable(26 + i))
	}
	if n := table.Nodes(); n > 1<<20 {
		t.Errorf("%d nodes", n)
	}
	if !hidden(table, 8).Equal(keep) || keep.Count(slices.Collect(numbers(16))).Cmp(want) != 0 {
		t.Error("what is kept has changed")
	}
}

// The remaining nodes are counted, with that of the constants.
func TestNodes(t *testing.T) {
	table := bdd.New()
	hidden(table, 3)
	keep := table.Variable(9)
	bdd.Collect(table)
	if n := table.Nodes(); n != 2 || !keep.Equal(table.Variable(9)) {
		t.Errorf("%d nodes of one variable", n)
	}
}

func numbers(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Work ends with its context, and the table goes on.
func TestWithin(t *testing.T) {
	table := bdd.New()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	err := table.Within(ctx, func() {
		small := hidden(table, 4)
		cancel(enough)
		hidden(table, 60)
		t.Errorf("work with 2^60 nodes ended, beside %v", small)
	})
	var stopped *bdd.StoppedError
	if !errors.Is(err, enough) || !errors.As(err, &stopped) || stopped.Nodes < 1<<12 {
		t.Errorf("error %v", err)
	}
	if err := table.Within(ctx, func() { t.Error("began after the end") }); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	if n := hidden(table, 4).Count(slices.Collect(numbers(8))); n.Int64() != 16 {
		t.Errorf("%d solutions", n)
	}
}

// BenchmarkQueens counts the ways to place queens on a board without attacks.
func BenchmarkQueens(b *testing.B) {
	const n, solutions = 8, 92
	for b.Loop() {
		table := bdd.New()
		board := table.Constant(true)
		at := func(row, column int) *bdd.Function { return table.Variable(row*n + column) }
		for row := range n {
			some := table.Constant(false)
			for column := range n {
				some = some.Or(at(row, column))
				alone := table.Constant(true)
				for r := range n {
					for c := range n {
						if (r != row || c != column) &&
							(r == row || c == column || r-row == c-column || r-row == column-c) {
							alone = alone.Minus(at(r, c))
						}
					}
				}
				board = board.And(at(row, column).Not().Or(alone))
			}
			board = board.And(some)
		}
		if got := board.Count(slices.Collect(numbers(n * n))); got.Int64() != solutions {
			b.Fatal(got)
		}
	}
}
