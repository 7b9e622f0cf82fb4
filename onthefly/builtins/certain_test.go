package builtins

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// key identifies a finding.
type key struct {
	property builtin.Property
	places   string
}

// reports returns how each finding is known. Tasks that have a deadlock are its report: there may
// be several cycles of them.
func reports(results []*tlcheck.Result) map[key]builtin.Certainty {
	all := map[key]builtin.Certainty{}
	for _, r := range results {
		if r.Finding == nil {
			continue
		}
		for _, f := range append([]builtin.Finding{*r.Finding}, r.Finding.Also...) {
			var places []string
			for _, p := range f.Parties {
				places = append(places, r.Names.Place(p.At).At)
			}
			slices.Sort(places)
			at := key{f.Property, strings.Join(slices.Compact(places), " ")}
			if how, ok := all[at]; !ok || f.How < how {
				all[at] = f.How
			}
		}
	}
	return all
}

// Where the end of the run is missing, what is said of it goes, and what has the same cause stays.
func TestWithoutEnd(t *testing.T) {
	polls := &builtin.Guess{Select: 1}
	other := &builtin.Guess{Select: 1, Other: 1}
	stand := withoutEnd([]builtin.Finding{
		{Property: builtin.Stuck, AtEnd: true, How: builtin.Observed, Text: "end", Also: []builtin.Finding{
			{Property: builtin.Deadlock, AtEnd: true, How: builtin.Reordered, Text: "1"}, {Property: builtin.Stuck, AtEnd: true, How: builtin.Observed, Text: "end"},
		}},
		{Property: builtin.Deadlock, AtEnd: true, How: builtin.Observed, Text: "2", Told: true},
		{Property: builtin.Deadlock, AtEnd: true, How: builtin.Observed, Text: "end"},
		{Property: builtin.Stuck, AtEnd: true, How: builtin.Possible, Text: "end", Guess: polls},
		{Property: builtin.Stuck, AtEnd: true, How: builtin.Possible, Text: "3", Guess: other},
		{Property: builtin.Race, How: builtin.Observed, Text: "4"},
	})
	var texts []string
	for _, f := range stand {
		texts = append(texts, f.Text)
	}
	if got := strings.Join(texts, " "); got != "1 2 3 4" {
		t.Errorf("%s stand, want 1 2 3 4", got)
	}
}

// What is reported while a run goes on is, with what is reported at its end, what is reported if it
// is looked at only then: also when another checker goes on from a snapshot.
func TestCertain(t *testing.T) {
	early, late := 0, 0
	h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true}}
	c := Config{Properties: slices.DeleteFunc(slices.Clone(builtin.Properties), func(p builtin.Property) bool { return p == builtin.Stuck })}
	enough := func() bool { return testing.Short() || early > 0 && late > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		events := drawEvents(t)
		whole, k := &Run[string]{Config: c}, &Run[string]{Config: c}
		for _, r := range []*Run[string]{whole, k} {
			r.Enter("s", "s", h)
		}
		var results []*tlcheck.Result
		for _, e := range events {
			whole.Add("s", e.Clone())
			k.Add("s", e)
			switch rapid.IntRange(0, 9).Draw(t, "then") {
			case 0, 1, 2:
				results = append(results, k.Certain()...)
			case 3:
				w := snapshot.NewWriter()
				k.Snapshot(w, w.String)
				k = &Run[string]{Config: c}
				r := snapshot.NewReader(w.Bytes())
				if k.Snapshot(r, r.String); r.End() != nil {
					t.Fatal(r.End())
				}
			}
		}
		for i, r := range results {
			if slices.ContainsFunc(results[:i], func(o *tlcheck.Result) bool {
				return o.Finding.Text == r.Finding.Text && o.Finding.How == r.Finding.How
			}) {
				t.Fatalf("twice: %s", r.Finding.Text)
			}
		}
		early += len(results)
		rest := k.Results("")
		want, got := reports(whole.Results("")), reports(append(results, rest...))
		late += len(reports(rest))
		for at, how := range want {
			known, ok := got[at]
			if ok {
				ok = known == how || comesBehind(at, known, how) || inCycle(at, known, want)
			}
			if !ok && !inCycle(at, how, got) {
				t.Fatalf("%v is %v, not reported so: %v", at, how, got)
			}
		}
		for at, how := range got {
			known, ok := want[at]
			if ok {
				ok = known == how || comesBehind(at, how, known)
			}
			if !ok && !inCycle(at, how, want) {
				t.Fatalf("%v is reported as %v, not %v", at, how, want)
			}
		}
		for _, r := range rest {
			if r.Finding == nil && slices.ContainsFunc(results, func(o *tlcheck.Result) bool { return o.Builtin == r.Builtin }) {
				t.Fatalf("%s has two verdicts", r.Builtin)
			}
		}
	})
	t.Logf("%d findings before the end, %d at the end", early, late)
	if !enough() {
		t.Error("too few of a kind")
	}
}

// comesBehind reports whether a race that was reported early is behind another one that the run
// has shown since.
func comesBehind(at key, early, late builtin.Certainty) bool {
	return at.property == builtin.Race && early == builtin.Predicted && late == builtin.Following
}

// inCycle reports whether tasks in a deadlock that happened are in another one of those reports.
func inCycle(at key, how builtin.Certainty, all map[key]builtin.Certainty) bool {
	if at.property != builtin.Deadlock || how != builtin.Observed {
		return false
	}
	for other, how := range all {
		if other.property == builtin.Deadlock && how == builtin.Observed && slices.ContainsFunc(strings.Fields(at.places), func(place string) bool {
			return slices.Contains(strings.Fields(other.places), place)
		}) {
			return true
		}
	}
	return false
}
