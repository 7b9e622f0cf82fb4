package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// After receives the deadlocks: the tasks of those that happened are reported there.
func (d *detector) After(found []rule.Finding) {
	d.dead = taskSet{}
	for i := range found {
		for _, p := range found[i].Parties {
			if happened(&found[i]) {
				d.dead[p.Task] = true
			}
		}
	}
}

// happened reports whether a finding is a deadlock in which the run has ended.
func happened(f *rule.Finding) bool {
	return f.Property == deadlock.Rule.Name && f.How == rule.Observed
}

// where is a task that stays at a place.
type where struct {
	task op.Task
	at   op.Place
}

// Join removes what is part of another finding: that tasks wait behind those of a deadlock that
// happened, which is added there, and that tasks can be in a deadlock which wait for ever there anyway.
func (d *detector) Join(all []rule.Finding) []rule.Finding {
	stuck := map[where]bool{}
	for i := range all {
		for _, p := range all[i].Parties {
			if all[i].How == rule.Observed && all[i].Property == Rule.Name {
				stuck[where{p.Task, p.At}] = true
			}
		}
		if all[i].Behind {
			addBehind(all, &all[i])
		}
	}
	return slices.DeleteFunc(all, func(f rule.Finding) bool {
		return f.Behind || f.Property == deadlock.Rule.Name && f.How != rule.Observed &&
			!slices.ContainsFunc(f.Parties, func(p rule.Party) bool { return !stuck[where{p.Task, p.At}] })
	})
}

// addBehind adds tasks that wait behind those of a deadlock that happened: to the first, if there are
// several, since each may be the reason. If Certain has returned that one before, it is reported once
// more with them: they would not wait if it had not happened, so it is no other violation.
func addBehind(all []rule.Finding, f *rule.Finding) {
	d := &all[slices.IndexFunc(all, func(d rule.Finding) bool { return happened(&d) })]
	if d.Core == 0 {
		d.Core = len(d.Parties)
	}
	d.Text += "; behind them: " + f.Text
	d.Parties = append(d.Parties, f.Parties...)
	d.Notes = withoutEqual(append(f.Notes, d.Notes...)) // what the deadlock assumes comes last
	d.Told = false
}
