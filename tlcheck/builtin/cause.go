package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// byCause makes the findings with one cause a single one, which has the others in Also. It is the
// best known of those that were not reported before.
func byCause(names op.Names, all []Finding) []Finding {
	heads := map[Key]int{}
	headOf := make([]Key, len(all))
	for i := range all {
		headOf[i] = all[i].BugKey(names)
		if head, ok := heads[headOf[i]]; !ok || isBetter(&all[i], &all[head]) {
			heads[headOf[i]] = i
		}
	}
	var found []Finding
	for i := range all {
		if head := heads[headOf[i]]; head != i && all[i].Cause != 0 {
			all[head].Also = append(all[head].Also, all[i])
		}
	}
	for i := range all {
		if heads[headOf[i]] == i || all[i].Cause == 0 {
			found = append(found, all[i])
		}
	}
	return found
}

// isBetter reports whether one, rather than other, should lead the findings with their cause.
func isBetter(one, other *Finding) bool {
	if one.Told != other.Told {
		return other.Told
	}
	return one.How < other.How
}

// withoutForetold drops the findings that goroutines could wait for ever where others do: that is
// one bug, which has happened.
func withoutForetold(names op.Names, all []Finding) []Finding {
	var happened []*Finding
	var waits [][]string // of each
	for i := range all {
		if f := &all[i]; isWaiting(f) {
			happened, waits = append(happened, f), append(waits, rule.WaitsHolding(names, f.Parties))
		}
	}
	into := func(f *Finding) int {
		if len(happened) == 0 || !couldWait(f) {
			return -1
		}
		would := wouldWait(names, f)
		return slices.IndexFunc(waits, func(w []string) bool { return contains(w, would) })
	}
	var rest []int
	for i := range all {
		if head := into(&all[i]); head >= 0 {
			addAlike(names, happened[head], &all[i])
		} else {
			rest = append(rest, i)
		}
	}
	for to, from := range rest {
		all[to] = all[from]
	}
	return all[:len(rest)]
}

// Foretells reports whether f predicts that goroutines wait for ever where others do in another
// run, as the finding happened of that run says: that is one bug.
func Foretells(f *Finding, names op.Names, happened *Finding, there op.Names) bool {
	return couldWait(f) && isWaiting(happened) &&
		contains(rule.WaitsHolding(there, happened.Parties), wouldWait(names, f))
}

// couldWait reports whether a finding is that goroutines wait for ever in another order.
func couldWait(f *Finding) bool {
	return f.How != Observed && (f.Property == Stuck || f.Property == Deadlock) && f.Cause == 0
}

// wouldWait returns the waits of such a finding. Those of a deadlock are for each other only with
// the locks that are held then.
func wouldWait(names op.Names, f *Finding) []string {
	if f.Property == Deadlock {
		return rule.WaitsHolding(names, f.Makers())
	}
	return rule.Waits(names, f.Makers())
}

// isWaiting reports whether a finding is that goroutines wait for ever.
func isWaiting(f *Finding) bool {
	return f.How == Observed && (f.Property == Stuck || f.Property == Deadlock)
}

// These limit Alike of a finding: the first ones are kept, and then the first one of each test, as
// reports are to name all tests.
const (
	maxAlikeKept      = 16
	maxAlikeTestsKept = 1000
)

// addAlike counts a finding that differs from the kept one in tasks and objects only. What happened
// to tasks is often predicted of them as well: that does not count.
func addAlike(names op.Names, kept, f *Finding) {
	if kept.How != f.How && f.Property != Race && contains(partyTasks(kept.Parties), partyTasks(f.Makers())) {
		return
	}
	kept.Count += f.Count
	if len(f.Parties) == 0 {
		return
	}
	if len(kept.Alike) < maxAlikeKept || len(kept.Alike) < maxAlikeTestsKept && isOfNewTest(names, kept, f) {
		kept.Alike = append(kept.Alike, rule.Like{Party: f.Parties[0], How: f.How})
	}
}

// isOfNewTest reports whether a finding is of a test that none of those before it is of.
func isOfNewTest(names op.Names, kept, f *Finding) bool {
	test := func(p *Party) string {
		if p.Task == op.NoTask {
			return ""
		}
		return names.Task(p.Task).Test
	}
	of := test(&f.Parties[0])
	return of != "" &&
		!slices.ContainsFunc(kept.Parties, func(p Party) bool { return test(&p) == of }) &&
		!slices.ContainsFunc(kept.Alike, func(l rule.Like) bool { return test(&l.Party) == of })
}

// contains reports whether all has each one of some.
func contains[E comparable](all, some []E) bool {
	return !slices.ContainsFunc(some, func(s E) bool { return !slices.Contains(all, s) })
}
