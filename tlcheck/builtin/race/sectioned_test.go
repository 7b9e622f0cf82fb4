package race_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// hidden are the operations of a run in which main.2's access comes after main.1's because of a
// lock that both leave alone there.
func hidden() []op.Op {
	started := new(clock.Clock).With(0, 2)
	return []op.Op{
		{Kind: op.Go, Task: 0, K: 1, Other: 1, At: 1},
		{Kind: op.Go, Task: 0, K: 2, Other: 2, At: 2},
		{Kind: op.Lock, Task: 1, K: 1, Object: 7, At: 4, Data: started},
		{Kind: op.Unlock, Task: 1, K: 2, Object: 7, At: 5, Data: started},
		{Kind: op.Lock, Task: 2, K: 1, Object: 7, At: 6, Data: started},
		{Kind: op.Unlock, Task: 2, K: 2, Object: 7, At: 7, Data: started},
		{
			Kind: op.Conflict, Task: 2, Want: op.Write, At: 8, Data: started, Address: 8, Arg: 8,
			Other: 1, OtherAt: 3, Access: op.Access{
				Sectioned: true, Moment: 2, OtherWant: op.Read, OtherMoment: 0, OtherData: started,
			},
		},
	}
}

// sectionedChecker returns a checker of races, and its detector.
func sectionedChecker() (*builtin.Checker, *rule.Detector) {
	d := new(rule.Detector)
	watched := *race.Rule
	watched.New = func() rule.Detector {
		*d = race.Rule.New()
		return *d
	}
	return builtin.NewChecker(&watched), d
}

func racesOf(ops []op.Op) *builtin.Checker {
	c := builtin.NewChecker(race.Rule)
	for i := range ops {
		c.Op(&ops[i])
	}
	return c
}

// The report of a race that sections hide says so, and in which order they do not. While the run
// goes on, a read can still turn out to race.
func TestHiddenRace(t *testing.T) {
	c := racesOf(hidden())
	if certain := c.Certain(testNames{}); len(certain) != 1 || certain[0].How != rule.Reordered {
		t.Errorf("certain: %v", certain)
	}
	if again := c.Certain(testNames{}); len(again) > 0 {
		t.Errorf("certain again: %v", again)
	}
	found := c.Findings(testNames{})
	if len(found) != 1 {
		t.Fatal(found)
	}
	want := "main.2 writes at x.go:8 the memory that main.1 reads at x.go:3, and only critical sections, which can come in another order, order the two"
	if f := found[0]; f.Text != want || f.How != rule.Predicted || f.Told {
		t.Errorf("%s (%v, told: %v)", f.Text, f.How, f.Told)
	}
	notes := []string{"in this run critical sections ordered the two, and main.1 came first; in the order shown, either can come first, or both at once"}
	if d := cmp.Diff(notes, found[0].Notes); d != "" {
		t.Error("-want +got:", d)
	}
	schedule := []op.Step{
		{Task: 0, Other: 1, Kind: op.Go, At: 1, K: 1},
		{Task: 0, Other: 2, Kind: op.Go, At: 2, K: 2},
		{Task: 2, Other: op.NoTask, Kind: op.Lock, Object: 7, At: 6, K: 1},
		{Task: 2, Other: op.NoTask, Kind: op.Unlock, Object: 7, At: 7, K: 2},
		{Task: 2, Other: op.NoTask, Kind: op.Write, At: 8},
		{Task: 1, Other: op.NoTask, Kind: op.Read, At: 3},
	}
	if d := cmp.Diff(schedule, found[0].Schedule); d != "" {
		t.Error("-want +got:", d)
	}
}

// Accesses that a lock guards, or one that comes after what the other task has written behind
// its own, do not race. What races does leaves open what was read before.
func TestSectionedConflicts(t *testing.T) {
	at := func(i int, change func(o *op.Op)) []op.Op {
		ops := hidden()
		change(&ops[i])
		return ops
	}
	conflict := len(hidden()) - 1
	racing := op.Op{Kind: op.Conflict, Task: 2, Want: op.Read, At: 20, Other: 0, OtherAt: 21}
	racing.Access = op.Access{Moment: 1, OtherWant: op.Write, OtherMoment: 1}
	for name, c := range map[string]struct {
		ops  []op.Op
		want []rule.Certainty
	}{
		"guarded":          {at(conflict, func(o *op.Op) { o.Moment, o.OtherMoment = 1, 1 }), nil},
		"half guarded":     {at(conflict, func(o *op.Op) { o.Moment = 1 }), []rule.Certainty{rule.Predicted}},
		"behind a section": {at(conflict, func(o *op.Op) { o.OtherMoment = 2 }), []rule.Certainty{rule.Predicted}},
		"has read":         {at(conflict, func(o *op.Op) { o.Data = o.Data.With(1, 1) }), nil},
		"open":             {append([]op.Op{racing}, hidden()...), []rule.Certainty{rule.Predicted, rule.Reordered}},
		"not told":         {hidden()[conflict:], []rule.Certainty{rule.Predicted}},
	} {
		var got []rule.Certainty
		for _, f := range racesOf(c.ops).Findings(testNames{}) {
			got = append(got, f.How)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got: %s", name, d)
		}
	}
}

// What does not lead to the accesses if it is executed is no race.
func TestRefutedRace(t *testing.T) {
	ops := hidden()
	ops[5].Data = ops[5].Data.With(1, 1) // main.2 knows of main.1's section, and forgets it
	c, sectioned := sectionedChecker()
	for i := range ops {
		c.Op(&ops[i])
	}
	if found := c.Findings(testNames{}); len(found) > 0 {
		t.Error(found)
	}
	if _, _, _, refuted, _ := race.Sectioned(*sectioned).Counts(); refuted != 1 {
		t.Errorf("%d refuted", refuted)
	}
}

// What is too long ago is not decided, and a note says so.
func TestLostRace(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	ops := hidden()
	conflict := ops[len(ops)-1]
	ops = ops[:len(ops)-1]
	for k := range int32(200_000) {
		ops = append(ops, op.Op{Kind: op.Lock, Task: 2, K: 3 + 2*k, Object: 9, Data: conflict.Data}, op.Op{Kind: op.Unlock, Task: 2, K: 4 + 2*k, Object: 9, Data: conflict.Data})
	}
	conflict.Moment, conflict.OtherMoment = 400_002, 1
	plain := conflict
	plain.Sectioned, plain.At = false, 40
	found := racesOf(append(ops, conflict, plain)).Findings(testNames{})
	if len(found) != 1 || len(found[0].Notes) != 2 || found[0].Notes[1] != "1 conflict of accesses that critical sections order in this run was not decided, as too much happened in between" {
		t.Errorf("%+v", found)
	}
}

// Pairs of places that are not looked at are counted.
func TestSectionedRacesAreBounded(t *testing.T) {
	c, d := sectionedChecker()
	sectioned := race.Sectioned(*d)
	sectioned.SetSteps(-1 << 20)
	ops := hidden()
	conflict := ops[len(ops)-1]
	for i := range 3 {
		conflict.At = op.Place(30 + i)
		ops = append(ops, conflict, conflict)
	}
	plain := conflict
	plain.Sectioned, plain.At = false, 40
	for _, o := range append(ops, plain) {
		c.Op(&o)
	}
	found := c.Findings(testNames{})
	if len(found) != 1 || len(found[0].Notes) != 2 || found[0].Notes[1] != "4 more pairs of accesses that critical sections order in this run were not checked" {
		t.Errorf("%+v", found)
	}
	if sectioned.SetSteps(race.FirstSteps); len(c.Findings(testNames{})) != 1 {
		t.Error("one was found")
	}
	c.Op(&conflict)
	if _, found, skipped, _, _ := sectioned.Counts(); skipped != 3 || found != 1 {
		t.Errorf("%d skipped, %d found", skipped, found)
	}
	for i := range 2 * race.MaxSectioned {
		conflict.At = op.Place(100 + i)
		sectioned.SetSteps(-1 << 20)
		c.Op(&conflict)
	}
	if pairs, _, _, _, many := sectioned.Counts(); pairs != race.MaxSectioned || !many {
		t.Errorf("%d pairs", pairs)
	}
}

// reversed are the operations of a run in which main.1's access, in a section of a lock that begins
// at a place, comes before a section of main.2, and that before main.2's access.
func reversed(at op.Place) []op.Op {
	ops := hidden()
	ops[2].At = at
	conflict := &ops[len(ops)-1]
	conflict.OtherMoment = 1
	return ops
}

// A section that comes last is one of the program's own code, unless all accesses to memory are
// told.
func TestSectionThatComesLast(t *testing.T) {
	const library = 2001 // called by the program
	for _, c := range []struct {
		name   string
		at     op.Place
		misses bool
		want   int
	}{
		{"all told", 4, false, 1},
		{"all told of libraries, too", library, false, 1},
		{"own code", 4, true, 1},
		{"library", library, true, 0},
	} {
		checker := builtin.NewChecker(race.Rule)
		if c.misses {
			checker.MissesAccesses()
		}
		for _, o := range reversed(c.at) {
			checker.Op(&o)
		}
		certain, found := checker.Certain(testNames{}), checker.Findings(testNames{})
		if len(certain) != c.want || len(found) != c.want {
			t.Errorf("%s: %v, %v", c.name, certain, found)
		}
		for _, f := range found {
			if f.How != rule.Reordered || !f.Reverses {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
	}
	ops := reversed(4)
	conflict := ops[len(ops)-1]
	clash := conflict
	// main.1 reads in its section what main.2 writes in one of its own
	clash.At, clash.OtherAt, clash.OtherWant, clash.Moment = 20, 21, op.Read, 1
	checker := builtin.NewChecker(race.Rule)
	for _, o := range append(ops[:len(ops)-1:len(ops)-1], clash, conflict) {
		checker.Op(&o)
	}
	if found := checker.Findings(testNames{}); len(found) > 0 {
		t.Errorf("a read that sees something else: %+v", found)
	}
}
