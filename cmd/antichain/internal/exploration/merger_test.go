package exploration

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/op"
)

// lines are the names of places with a line each, and of nothing else.
type lines struct{}

func (lines) Task(t op.Task) op.Origin         { return op.Origin{Name: fmt.Sprint("task ", t), By: op.NoTask} }
func (lines) Object(o op.Object) string        { return fmt.Sprint("object ", o) }
func (lines) Place(p op.Place) (l op.Location) { l.At = fmt.Sprintf("p.go:%d", p); return l }

// found is a result with a finding at a line.
func found(p builtin.Property, how builtin.Certainty, line op.Place) *tlcheck.Assessment {
	r := &tlcheck.Result{Builtin: p, Verdict: tlcheck.Violated, Names: lines{}}
	if how == builtin.Possible {
		r.Verdict = tlcheck.Possible
	}
	r.Finding = &builtin.Finding{Property: p, How: how, Count: 1, Parties: []builtin.Party{{Kind: op.Recv, At: line}}}
	return r.Assessment()
}

// told is a merged result in words.
func told(r *tlcheck.Assessment) string {
	text := fmt.Sprintf("%s %v", r.Name(), r.Verdict)
	if r.Finding != nil {
		text += fmt.Sprintf(" %v at %d", r.Finding.How, r.Finding.Parties[0].At)
	}
	if o := r.Occurrence; o != nil {
		text += fmt.Sprintf(", %d/%d of %d, first %d", o.Observed, o.Showing, o.Runs, o.Seed)
	}
	if r.Confirmation.IsConfirmed() {
		text += ", confirmed"
	}
	return text
}

// merge merges the results of runs with seeds from 1.
func merge(runs ...[]*tlcheck.Assessment) (all []string) {
	m := newMerger()
	for i, results := range runs {
		plan := &execution.Plan{Steering: execution.Steering{Seed: uint64(i + 1)}}
		m.add(&run{plan: plan, ended: &execution.Conclusion{}, results: results}, false)
	}
	specified, builtins := m.results(len(runs), false)
	for _, r := range slices.Concat(specified, builtins) {
		all = append(all, told(r))
	}
	return all
}

func TestMerge(t *testing.T) {
	property, err := spec.ParseFormula("t:(not in.f)")
	if err != nil {
		t.Fatal(err)
	}
	property.Name = "p"
	of := func(v tlcheck.Verdict, vacuous string) *tlcheck.Assessment {
		return (&tlcheck.Result{Property: property, Verdict: v, Vacuous: vacuous}).Assessment()
	}
	without := func(p builtin.Property, v tlcheck.Verdict) *tlcheck.Assessment {
		return (&tlcheck.Result{Builtin: p, Verdict: v}).Assessment()
	}
	confirmed := found(builtin.Closed, builtin.Predicted, 3)
	confirmed.Confirmation = &tlcheck.Confirmation{Outcome: tlcheck.Confirmed}
	behind := found(builtin.Stuck, builtin.Observed, 4)
	behind.Finding.Also = []builtin.Finding{*found(builtin.Deadlock, builtin.Predicted, 5).Finding}
	alone := found(builtin.Deadlock, builtin.Predicted, 5)
	alone.Finding.Cause, behind.Finding.Cause = 9, 9
	predicted := func(line op.Place) *tlcheck.Assessment { // it happens at line 4
		r := found(builtin.Closed, builtin.Predicted, line)
		r.Finding.Fails = builtin.Deed{Kind: op.Recv, At: 4}
		return r
	}
	happened := func() *tlcheck.Assessment { return found(builtin.Closed, builtin.Observed, 4) }
	type results = []*tlcheck.Assessment
	for _, tt := range []struct {
		name string
		runs []results
		want []string
	}{
		{
			"once each, as the first run that knows it best", []results{
				{found(builtin.Stuck, builtin.Predicted, 1), found(builtin.Stuck, builtin.Predicted, 2)},
				{found(builtin.Stuck, builtin.Observed, 2)},
				{found(builtin.Stuck, builtin.Observed, 2), found(builtin.Deadlock, builtin.Reordered, 7)},
			},
			[]string{
				"deadlock violated predicted, locks reordered at 7, 0/1 of 3, first 3",
				"stuck violated observed at 2, 2/3 of 3, first 2",
				"stuck violated predicted at 1, 0/1 of 3, first 1",
			},
		},
		{
			"a property that was violated in any run does not hold", []results{
				{without(builtin.Deadlock, tlcheck.Holds), without(builtin.Stuck, tlcheck.Holds)},
				{without(builtin.Deadlock, tlcheck.Holds), found(builtin.Stuck, builtin.Possible, 1)},
			},
			[]string{"stuck possible possible at 1, 0/1 of 2, first 2", "deadlock holds"},
		},
		{
			"a property is unknown unless it is violated", []results{
				{of(tlcheck.Holds, ""), without(builtin.Stuck, tlcheck.Unknown)},
				{of(tlcheck.Unknown, ""), without(builtin.Stuck, tlcheck.Holds)},
			},
			[]string{"p unknown", "stuck unknown"},
		},
		{"a property of a specification", []results{{of(tlcheck.Holds, "")}, {of(tlcheck.Violated, "")}, {of(tlcheck.Violated, "")}}, []string{"p violated, 0/2 of 3, first 2"}},
		{"a confirmation stays", []results{{confirmed}, {found(builtin.Closed, builtin.Predicted, 3)}}, []string{"closed violated predicted at 3, 0/2 of 2, first 1, confirmed"}},
		{
			"what has the same cause, whatever it violates", []results{{alone, without(builtin.Closed, tlcheck.Holds)}, {behind, without(builtin.Deadlock, tlcheck.Holds)}},
			[]string{"stuck violated observed at 4, 1/2 of 2, first 2", "closed holds"},
		},
		{
			"what was predicted elsewhere, and then happens",
			[]results{{predicted(3), predicted(5)}, {happened(), predicted(3)}, {predicted(5)}, {predicted(3)}},
			[]string{"closed violated observed at 4, 1/4 of 4, first 2"},
		},
		{
			"what was predicted elsewhere, and does not happen", []results{{predicted(3)}, {predicted(5)}},
			[]string{
				"closed violated predicted at 3, 0/1 of 2, first 1",
				"closed violated predicted at 5, 0/1 of 2, first 2",
			},
		},
	} {
		if diff := cmp.Diff(tt.want, merge(tt.runs...)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
	vacuous := of(tlcheck.Holds, "nobody calls f")
	m := newMerger()
	m.add(&run{plan: &execution.Plan{}, results: results{vacuous}}, false)
	m.add(&run{plan: &execution.Plan{}, results: results{of(tlcheck.Holds, "")}}, false)
	if specified, _ := m.results(2, false); len(specified) != 1 || specified[0].Vacuous != "" {
		t.Errorf("vacuous although another run could have violated it: %+v", specified)
	}
}

// Goroutines that could wait for ever where others do in another run are one bug with these.
func TestForetold(t *testing.T) {
	type results = []*tlcheck.Assessment
	could := func() *tlcheck.Assessment { return found(builtin.Stuck, builtin.Predicted, 3) }
	wait := func(p builtin.Property) *tlcheck.Assessment {
		r := found(p, builtin.Observed, 3)
		r.Finding.Parties = append(r.Finding.Parties, found(p, builtin.Observed, 4).Finding.Parties...)
		return r
	}
	kept := func() *tlcheck.Assessment {
		r := could()
		r.Finding.Cause = 1
		return r
	}
	for _, tt := range []struct {
		name string
		runs []results
		want int
	}{
		{"in a deadlock", []results{{could()}, {wait(builtin.Deadlock)}, {could()}}, 1},
		{"in a deadlock that is known", []results{{wait(builtin.Deadlock)}, {could()}, {could()}}, 1},
		{"with others", []results{{could()}, {wait(builtin.Stuck)}}, 1},
		{"a deadlock", []results{{found(builtin.Deadlock, builtin.Possible, 3)}, {wait(builtin.Stuck)}}, 1},
		{"a deadlock elsewhere", []results{{found(builtin.Deadlock, builtin.Possible, 5)}, {wait(builtin.Stuck)}}, 2},
		{"elsewhere", []results{{found(builtin.Stuck, builtin.Predicted, 5)}, {wait(builtin.Stuck)}}, 2},
		{"for a lock that is kept", []results{{kept()}, {wait(builtin.Stuck)}}, 2},
		{"only predicted", []results{{could()}, {found(builtin.Deadlock, builtin.Predicted, 3)}}, 2},
	} {
		if got := merge(tt.runs...); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// What one run has tried others do not try again, and nobody tries what has happened. What was only
// predicted is new when it happens.
func TestTried(t *testing.T) {
	m := newMerger()
	add := func(r *tlcheck.Assessment) bool {
		return m.add(&run{plan: &execution.Plan{}, results: []*tlcheck.Assessment{r}}, true)
	}
	isTried := func(r *tlcheck.Assessment, outcome *tlcheck.Confirmation, want bool) {
		t.Helper()
		if got, done := m.attemptOf(r.Result); done != want || got != outcome {
			t.Errorf("tried %v: %+v, want %v: %+v", done, got, want, outcome)
		}
	}
	predicted := found(builtin.Closed, builtin.Predicted, 3)
	isTried(predicted, nil, false)
	if !add(predicted) {
		t.Error("a prediction is not new")
	}
	isTried(predicted, nil, false)
	in := found(builtin.Closed, builtin.Predicted, 3)
	in.Confirmation = &tlcheck.Confirmation{Outcome: tlcheck.NotFollowed}
	add(in)
	isTried(predicted, in.Confirmation, true)
	if !add(found(builtin.Closed, builtin.Observed, 3)) || add(found(builtin.Closed, builtin.Observed, 3)) {
		t.Error("what happens is not new the first time, or new the second")
	}
	add(found(builtin.Stuck, builtin.Observed, 4))
	isTried(found(builtin.Stuck, builtin.Predicted, 4), nil, true)
	if add((&tlcheck.Result{Builtin: builtin.Deadlock}).Assessment()) || len(m.all) != 2 {
		t.Error("an unknown verdict on a steered run counts")
	}
}

// A prediction that another run has tried in vain is possible in all of them.
func TestTriedInVain(t *testing.T) {
	tried := found(builtin.Deadlock, builtin.Reordered, 3)
	tried.Confirmation = &tlcheck.Confirmation{Outcome: tlcheck.Diverged}
	tried.Settle()
	want := []string{"deadlock possible possible at 3, 0/2 of 2, first 2"}
	if diff := cmp.Diff(want, merge([]*tlcheck.Assessment{found(builtin.Deadlock, builtin.Reordered, 3)}, []*tlcheck.Assessment{tried})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Runs in any number say of each finding what counting says.
func TestMergeRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hows := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(-1, int(builtin.Possible)), 3, 3), 1, 6).Draw(t, "hows of 3 findings in runs; -1: not found")
		var runs [][]*tlcheck.Assessment
		for _, run := range hows {
			var results []*tlcheck.Assessment
			for line, how := range run {
				if how >= 0 {
					results = append(results, found(builtin.Closed, builtin.Certainty(how), op.Place(line)))
				}
			}
			runs = append(runs, results)
		}
		var want []string
		for best := builtin.Observed; best <= builtin.Possible; best++ {
			for line := range 3 {
				showing, observed, first := 0, 0, 0
				better := false
				for i, run := range hows {
					if run[line] < 0 {
						continue
					}
					showing++
					how := builtin.Certainty(run[line])
					if how == builtin.Observed {
						observed++
					}
					if how == best && first == 0 {
						first = i + 1
					}
					better = better || how < best
				}
				if first == 0 || better {
					continue
				}
				verdict := tlcheck.Violated
				if best == builtin.Possible {
					verdict = tlcheck.Possible
				}
				want = append(want, fmt.Sprintf("closed %v %v at %d, %d/%d of %d, first %d", verdict, best, line, observed, showing, len(hows), first))
			}
		}
		got := merge(runs...)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
