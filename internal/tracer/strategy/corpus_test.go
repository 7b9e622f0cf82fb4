package strategy

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"pgregory.net/rapid"
)

// shared is what goroutines do: a letter is an operation on the object of that letter, which only
// reads it if it is a capital one. Each operation is at a place of its own.
type shared []string

func siteOf(goroutine, operation int) uint32 { return uint32(10_000*(1+goroutine) + operation) }

// run returns what the run of a seed notes.
func (p shared) run(s Strategy, seed uint64) (notes []ring.Note) {
	l, at := newLottery(byRFF, 0, seed, DefaultSteps), make([]int, len(p))
	for _, c := range s.Draws().Counts.Constraints {
		l.constraints = append(l.constraints, constraint{writer: c.Writer, reader: c.Reader, other: c.Other})
	}
	tickets := make([]ticket, len(p))
	stand := func(i int) {
		if at[i] < len(p[i]) {
			c := rune(p[i][at[i]])
			l.stands(&tickets[i], [ticketObjects]uint64{uint64(unicode.ToLower(c))})
			tickets[i].site, tickets[i].looks = siteOf(i, at[i]), unicode.IsUpper(c)
		}
	}
	for i := range p {
		tickets[i] = l.enters(mixed(uint64(i) ^ l.seed))
		stand(i)
	}
	for {
		best := -1
		l.looks()
		for i := range p {
			if at[i] < len(p[i]) {
				l.sees(&tickets[i])
			}
		}
		for i := range p {
			if at[i] < len(p[i]) && (best < 0 || l.of(&tickets[i]) > l.of(&tickets[best])) {
				best = i
			}
		}
		if best < 0 {
			return notes
		}
		t := &tickets[best]
		notes = append(notes, ring.Note{
			Goroutine: uint32(1 + best), Site: t.site, Object: t.objects[0], Looks: t.looks,
		})
		l.takes(t)
		for i := range p {
			if i != best && at[i] < len(p[i]) {
				l.passes(t, &tickets[i])
			}
		}
		at[best]++
		stand(best)
	}
}

// read returns what an operation at a place reads: the place that has written last before it on the
// same object, 0 if none has.
func read(notes []ring.Note, site uint32) uint32 {
	i := slices.IndexFunc(notes, func(n ring.Note) bool { return n.Site == site })
	for _, n := range slices.Backward(notes[:i]) {
		if n.Object == notes[i].Object && !n.Looks {
			return n.Site
		}
	}
	return 0
}

// TestConstraint compares how often an operation reads what a constraint says with how often it
// does without one.
func TestConstraint(t *testing.T) {
	const runs = 200
	free := Strategy{Rule: RFF}
	is := func(writer, reader uint32) ring.Constraint { return ring.Constraint{Writer: writer, Reader: reader} }
	isNot := func(writer, reader uint32) ring.Constraint {
		return ring.Constraint{Writer: writer, Reader: reader, Other: true}
	}
	for _, tt := range []struct {
		name       string
		program    shared
		constraint ring.Constraint
		least      int // runs in which it comes true
		without    int // at most
	}{
		{"early write, late read", shared{"aaaaaaaa", "A"}, is(siteOf(0, 0), siteOf(1, 0)), runs, 60},
		{"in the middle", shared{"aaaaaaaa", "A"}, is(siteOf(0, 4), siteOf(1, 0)), runs, 40},
		{"behind others", shared{"aaaaaaaa", "bbbbA"}, is(siteOf(0, 2), siteOf(1, 4)), runs, 60},
		{"the only one", shared{"xa", "A"}, is(siteOf(0, 1), siteOf(1, 0)), runs, 120},
		{"not the first", shared{"a", "xxxxA"}, isNot(siteOf(0, 0), siteOf(1, 4)), runs, 60},
		{"not the last", shared{"aaa", "xxxxA", "xxxxxxa"}, isNot(siteOf(0, 2), siteOf(1, 4)), runs, 150},
		{"another object", shared{"ab", "B"}, is(siteOf(0, 0), siteOf(1, 0)), 0, 0},
		{"its own goroutine", shared{"aA"}, isNot(siteOf(0, 0), siteOf(0, 1)), 0, 0},
	} {
		fits, without := 0, 0
		forced := Strategy{Rule: RFF, Learnt: encodeConstraints([]ring.Constraint{tt.constraint})}
		comesTrue := func(s Strategy, seed uint64) bool {
			return read(tt.program.run(s, seed), tt.constraint.Reader) == tt.constraint.Writer != tt.constraint.Other
		}
		for seed := range uint64(runs) {
			if comesTrue(forced, seed) {
				fits++
			}
			if comesTrue(free, seed) {
				without++
			}
		}
		if fits < tt.least || without > tt.without {
			t.Errorf("%s: %d of %d runs, %d without the constraint", tt.name, fits, runs, without)
		}
	}
}

// TestPatience checks that a constraint that cannot come true keeps goroutines back for a while
// only.
func TestPatience(t *testing.T) {
	p := shared{strings.Repeat("a", 2*constraintPatience), "bA"}
	s := Strategy{Rule: RFF, Learnt: encodeConstraints([]ring.Constraint{{Writer: 7, Reader: siteOf(1, 1)}})}
	for seed := range uint64(20) {
		notes := p.run(s, seed)
		i := slices.IndexFunc(notes, func(n ring.Note) bool { return n.Site == siteOf(1, 1) })
		if i < constraintPatience || i > constraintPatience+200 {
			t.Errorf("seed %d: it reads at step %d", seed, i)
		}
	}
}

// TestCorpus compares how many runs it takes until two goroutines read between given writes of a
// third one with POS, whose runs have no constraints. One constraint is not enough for that: a run
// that has one of them must be kept.
func TestCorpus(t *testing.T) {
	p := shared{"aaaaaaaa", "A", "A"}
	shows := func(notes []ring.Note) bool {
		return read(notes, siteOf(1, 0)) == siteOf(0, 4) && read(notes, siteOf(2, 0)) == siteOf(0, 6)
	}
	const most = 2000
	runs := func(draw func(uint64) Strategy, learn func(Strategy, []ring.Note) bool, seed uint64) int {
		for n := range uint64(most) {
			s := draw(seed + n)
			notes := p.run(s, seed+n)
			if shows(notes) {
				return int(n) + 1
			}
			if learn(s, notes) {
				t.Fatal("a run is for nothing but learning")
			}
		}
		return most
	}
	var fuzzed, free []int
	for seed := range uint64(21) {
		c := Strategy{Rule: RFF}.Learner()
		n := runs(c.Draw, c.Learn, 1000*seed)
		fuzzed = append(fuzzed, n)
		again := Strategy{Rule: RFF}.Learner()
		if m := runs(again.Draw, again.Learn, 1000*seed); m != n {
			t.Errorf("seed %d: %d runs, then %d", seed, n, m)
		}
		free = append(free, runs(func(uint64) Strategy { return Strategy{Rule: RFF} },
			func(Strategy, []ring.Note) bool { return false }, 1000*seed))
	}
	slices.Sort(fuzzed)
	slices.Sort(free)
	if fuzzed[10]*2 > free[10] {
		t.Errorf("median %d runs, and %d without constraints", fuzzed[10], free[10])
	}
	t.Logf("%d\n%d", fuzzed, free)
}

// TestLearn checks which pairs constraints are made of, and which runs are kept.
func TestLearn(t *testing.T) {
	c := newCorpus()
	first := c.Draw(1)
	if first != (Strategy{Rule: RFF}) || first.IsIndependent() {
		t.Errorf("the first run is drawn by %v", first)
	}
	notes := []ring.Note{
		{Goroutine: 1, Site: 90}, {Goroutine: 2, Site: 91, Parent: 1},
		{Goroutine: 1, Site: 10, Object: 5}, {Goroutine: 1, Site: 11, Object: 5, Looks: true},
		{Goroutine: 2, Site: 20, Object: 5, Looks: true},
		{Goroutine: 2, Site: 21, Object: 6}, {Site: 21, Object: 7}, // a select statement
		{Goroutine: 1, Site: 12, Object: 7},
		{Goroutine: 1, Site: 13, Object: 8}, {Goroutine: 1, Site: 14, Object: 8},
	}
	c.Learn(first, notes)
	if want := []readsFrom{{10, 20}, {21, 12}, {12, 21}}; !slices.Equal(c.pairs, want) {
		t.Errorf("pairs %v, want %v", c.pairs, want)
	}
	for _, pair := range []readsFrom{{0, 10}, {10, 20}, {0, 21}, {21, 12}, {0, 13}} {
		if !c.shown[pair] {
			t.Errorf("%v is not shown", pair)
		}
	}
	if len(c.shown) != 5 || len(c.kept) != 1 {
		t.Errorf("%d pairs, %d runs are kept", len(c.shown), len(c.kept))
	}
	second := c.Draw(2)
	if s, err := Parse(second.String()); err != nil || s != second || !s.IsIndependent() || s.Learner() != nil {
		t.Errorf("%v is %v, %v", second, s, err)
	}
	c.Learn(second, notes)
	if len(c.kept) != 1 {
		t.Error("a run that shows nothing new is kept")
	}
	slices.Reverse(notes[2:7])
	c.Learn(second, notes)
	if len(c.kept) != 2 || encodeConstraints(c.kept[1].constraints) != second.Learnt {
		t.Errorf("kept: %+v", c.kept)
	}
}

// TestChanged checks that changes of constraints are never none, nor too many, and fit into a text.
func TestChanged(t *testing.T) {
	c := newCorpus()
	for i := range uint32(10) {
		c.pairs = append(c.pairs, readsFrom{1 + i, 2 + i})
	}
	rapid.Check(t, func(t *rapid.T) {
		var constraints []ring.Constraint
		for random := range rapid.Uint64().Draw(t, "changes") % 100 {
			constraints = c.changed(constraints, mixed(random))
			if len(constraints) == 0 || len(constraints) > maxConstraints {
				t.Fatalf("%d constraints", len(constraints))
			}
			counts, err := decodeConstraints(encodeConstraints(constraints))
			if err != nil || !slices.Equal(counts.Constraints, constraints) {
				t.Fatalf("%+v, then %+v, %v", constraints, counts, err)
			}
		}
	})
}

// TestDecodeConstraints checks that any text is decoded or refused.
func TestDecodeConstraints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([A-Za-z0-9_-]{12}){0,3}`).Draw(t, "text")
		counts, err := decodeConstraints(text)
		if err == nil && encodeConstraints(counts.Constraints) != text {
			t.Fatalf("%+v", counts)
		}
	})
}
