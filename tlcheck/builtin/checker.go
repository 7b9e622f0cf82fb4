package builtin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// A reorderer asks whether critical sections can come in another order.
type reorderer interface{ Reorders(h *reorder.History) }

// A stateObserver asks what tasks wait for and hold.
type stateObserver interface{ ObserveState(r *state.Run) }

// Checker looks for violations of properties in the operations of a run.
type Checker struct {
	rules     []*rule.Rule    `snapshot:"-"` // all checkers share them
	detectors []rule.Detector // of the rules
	receivers [op.KindCount][]op.Watcher
	state     *state.Run       // nil if no rule asks for it
	history   *reorder.History // nil if no rule asks for other orders of sections

	waits waits

	reported map[Key]Certainty // by Certain
	dead     map[blockage]bool // in deadlocks that it returned
	spokenOf []op.Task         // in all that it returned
}

// blockage is when a task began to wait: with its operation k.
type blockage struct {
	task op.Task
	k    int32
}

// New returns a checker of those properties, and an error if one of them does not exist.
func New(properties ...Property) (*Checker, error) {
	for _, p := range properties {
		if _, err := Parse(string(p)); err != nil {
			return nil, err
		}
	}
	return NewChecker(slices.DeleteFunc(slices.Clone(Rules), func(r *rule.Rule) bool {
		return !slices.Contains(properties, r.Name)
	})...), nil
}

// NewChecker returns a checker with those rules, among them some of other modules. These come
// behind the built-in ones.
func NewChecker(rules ...*rule.Rule) *Checker {
	place := func(r *rule.Rule) uint { return uint(slices.Index(Rules, r)) }
	c := &Checker{rules: slices.Clone(rules)}
	slices.SortStableFunc(c.rules, func(a, b *rule.Rule) int { return cmp.Compare(place(a), place(b)) })
	for _, r := range c.rules {
		c.detectors = append(c.detectors, c.start(r))
	}
	return c
}

// start makes the detector of a rule, which then receives the operations of the run. If it asks for
// the state or the history of the run, these receive each operation before it.
func (c *Checker) start(r *rule.Rule) rule.Detector {
	d := r.New()
	if o, ok := d.(stateObserver); ok {
		o.ObserveState(c.observed())
	}
	if o, ok := d.(rule.ProgressObserver); ok {
		o.ObserveProgress(c.observed())
	}
	if r, ok := d.(reorderer); ok {
		if c.history == nil {
			c.history = reorder.New()
			c.send(c.history.Kinds(), c.history)
		}
		r.Reorders(c.history)
	}
	c.send(r.Kinds, d)
	return d
}

// observed returns the state of the run, from now on.
func (c *Checker) observed() *state.Run {
	if c.state == nil {
		c.state = state.New()
		c.send(state.Kinds, c.state)
	}
	return c.state
}

func (c *Checker) send(kinds []op.Kind, to op.Watcher) {
	for _, k := range kinds {
		c.receivers[k] = append(c.receivers[k], to)
	}
}

// forEach calls a function with the detectors that implement an interface.
func forEach[I any](c *Checker, do func(I)) {
	for _, d := range c.detectors {
		if i, ok := d.(I); ok {
			do(i)
		}
	}
}

// MustFinish requires tasks that run one of these functions to finish before the program ends. A
// name may lack the package or its path, or the type of a method.
func (c *Checker) MustFinish(functions ...string) {
	forEach(c, func(d interface{ MustFinish(functions ...string) }) { d.MustFinish(functions...) })
}

// MayWait allows tasks to wait for ever if they run one of these functions, or have come to wait by
// a call of it. A name may lack the package or its path, or the type of a method.
func (c *Checker) MayWait(functions ...string) {
	forEach(c, func(d interface{ MayWait(functions ...string) }) { d.MayWait(functions...) })
}

// ReadSource sets a function that looks up guesses in the program's source. Without it, or where
// its answer is not certain, findings that rest on a guess are only possible.
func (c *Checker) ReadSource(source func(*Guess) Behind) {
	forEach(c, func(d interface{ ReadSource(func(*Guess) Behind) }) { d.ReadSource(source) })
}

// MissesAccesses says that some accesses to memory are not recorded, such as those of excluded
// packages. Then findings that rest on critical sections in other orders are not certain.
func (c *Checker) MissesAccesses() {
	if c.history != nil {
		c.history.LeaveOpen()
	}
}

// LacksAccesses says that no accesses to memory are recorded.
func (c *Checker) LacksAccesses() {
	if c.history != nil {
		c.history.LeaveOff()
	}
}

// ofNoTask are the kinds of operations that no task need make.
var ofNoTask = []op.Kind{op.Free, op.CutOff, op.Checked, op.Handoff}

// Op receives the next operation of the run.
func (c *Checker) Op(o *op.Op) {
	c.waits.Op(o)
	if o.Task == op.NoTask && !slices.Contains(ofNoTask, o.Kind) {
		return // by the runtime for itself; traces may contain it
	}
	for _, d := range c.receivers[o.Kind] {
		d.Op(o)
	}
}

// Certain returns the violations found since the last call that stand however the run continues:
// races, misuse of channels, WaitGroups and locks, deadlocks that rest on locks alone. Each is
// returned once, and once more if it happens after it was predicted. What rests on reads is
// Reordered, since any of them can turn out to race with a write to come. That the tasks of a
// deadlock wait is certain; see Guess for what others could do about it. Findings marks these
// findings as Told, unless others have come to wait behind a deadlock.
func (c *Checker) Certain(names op.Names) []Finding {
	var found []Finding
	for i, d := range c.detectors {
		if d, ok := d.(rule.Prompt); ok {
			found = append(found, c.inScope(i, d.Certain(names), names)...)
		}
	}
	found = c.mergeSamePlace(names, found)
	found = slices.DeleteFunc(found, func(f Finding) bool { return c.isReported(names, &f) })
	for i := range found {
		c.remember(names, &found[i])
	}
	return found
}

// Standing returns how the tasks stand after the operations so far, nil if no rule asks for that.
// Findings that Certain has returned are left out.
func (c *Checker) Standing(names op.Names) (s *Standing) {
	for i, d := range c.detectors {
		if d, ok := d.(interface {
			Standing(names op.Names) *rule.Standing
		}); ok {
			s = d.Standing(names)
			s.ForEver = c.mergeSamePlace(names, c.inScope(i, s.ForEver, names))
			s.ForEver = slices.DeleteFunc(s.ForEver, func(f Finding) bool { return c.isReported(names, &f) })
			waits := s.Waits
			s.Waits = func() []Wait { return c.waits.dateAll(waits()) }
		}
	}
	return s
}

// NoteReported says that findings of Standing are reported: they count as returned by Certain.
func (c *Checker) NoteReported(names op.Names, found []Finding) {
	for i := range found {
		c.remember(names, &found[i])
	}
}

// CanContinue reports whether some task that does not wait for ever is left. It is true if no rule
// asks for that.
func (c *Checker) CanContinue(names op.Names) bool {
	return c.state == nil || c.state.CanContinue(names)
}

// inScope drops the findings of rule i whose parties are outside of the finding's scope. It sets
// Property of the others to the rule's name, and dates the waits of those that say how tasks are.
func (c *Checker) inScope(i int, found []Finding, names op.Names) []Finding {
	found = slices.DeleteFunc(found, func(f Finding) bool { return !f.Concerns(names) })
	for j := range found {
		found[j].Property = cmp.Or(found[j].Property, c.rules[i].Name)
		if found[j].IsOfEnd() {
			for k := range found[j].Parties {
				c.waits.date(&found[j].Parties[k])
			}
		}
	}
	return found
}

func (c *Checker) remember(names op.Names, f *Finding) {
	if c.reported == nil {
		c.reported, c.dead = map[Key]Certainty{}, map[blockage]bool{}
	}
	c.reported[f.Key(names)] = f.How
	snapshot.Values(f, func(t *op.Task) { c.spokenOf = append(c.spokenOf, *t) })
	for _, p := range f.Parties {
		if p.K != 0 {
			c.dead[blockage{p.Task, p.K}] = true
		}
	}
}

// isReported reports whether Certain has returned the finding, known as well or better, or a
// deadlock with one of its waits. A task may be in several deadlocks, also when another task
// unlocks what it waits for.
func (c *Checker) isReported(names op.Names, f *Finding) bool {
	if c.reported == nil {
		return false // names of places are not needed
	}
	if how, ok := c.reported[f.Key(names)]; ok && how <= f.How {
		return true
	}
	return slices.ContainsFunc(f.Parties, func(p Party) bool {
		return p.K != 0 && c.dead[blockage{p.Task, p.K}]
	})
}

// Findings returns the violations found, sorted, after the last operation. Those that differ in
// tasks and objects only are one; what happened in the run is not reported again as predicted.
// Those with the same cause are in Also of the best known one.
func (c *Checker) Findings(names op.Names) []Finding {
	var all []Finding
	for i, d := range c.detectors {
		if d, ok := d.(rule.Dependent); ok {
			d.After(all)
		}
		all = append(all, c.inScope(i, d.Findings(names), names)...)
	}
	all = c.mergeSamePlace(names, all)
	for i := range all {
		all[i].Told = c.isReported(names, &all[i])
	}
	forEach(c, func(d rule.Dependent) { all = d.Join(all) })
	return byCause(names, withoutForetold(names, all))
}

// Candidates returns what is possible only if critical sections come in another order than in the
// run, and is not among what Findings has returned. It is to be reported only if it happens: a
// program that decides under a lock what it does looks the same, and is correct.
func (c *Checker) Candidates(names op.Names, found []Finding) []Finding {
	isFound := map[Key]bool{}
	for i := range found {
		isFound[found[i].Key(names)] = true
	}
	var all []Finding
	for i, d := range c.detectors {
		if d, ok := d.(rule.Suspecting); ok {
			all = append(all, c.inScope(i, d.Candidates(names), names)...)
		}
	}
	return slices.DeleteFunc(all, func(f Finding) bool { return isFound[f.Key(names)] })
}

// Open returns the waits at the end of the run that others may still end, after Findings; nil if
// there are none.
func (c *Checker) Open() (open *rule.Open) {
	forEach(c, func(d interface{ Open() *rule.Open }) { open = d.Open() })
	return open
}

// mergeSamePlace sorts findings, and keeps the best known one of those at the same places, with the
// same cause if it is known.
func (c *Checker) mergeSamePlace(names op.Names, all []Finding) []Finding {
	type keyed struct {
		Finding
		key string
	}
	sorted := make([]keyed, len(all))
	for i, f := range all {
		f.Count = max(f.Count, 1)
		sorted[i] = keyed{f, f.Key(names).Places}
		if f.Cause != 0 {
			sorted[i].key += " " + f.BugKey(names).Places
		}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int {
		return cmp.Or(c.ruleRank(&a.Finding)-c.ruleRank(&b.Finding), strings.Compare(a.key, b.key),
			int(a.How)-int(b.How), len(a.Parties)-len(b.Parties))
	})
	var merged []Finding
	for i, f := range sorted {
		if i > 0 && f.Property == sorted[i-1].Property && f.key == sorted[i-1].key {
			addAlike(names, &merged[len(merged)-1], &f.Finding)
			continue
		}
		merged = append(merged, f.Finding)
	}
	sectioned := func(f *Finding) int {
		if f.Sectioned {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(merged, func(a, b Finding) int {
		return cmp.Or(c.ruleRank(&a)-c.ruleRank(&b), int(a.How)-int(b.How), sectioned(&a)-sectioned(&b))
	})
	return merged
}

// ruleRank returns the index of the finding's rule.
func (c *Checker) ruleRank(f *Finding) int {
	return slices.IndexFunc(c.rules, func(r *rule.Rule) bool { return r.Name == f.Property })
}

// partyTasks returns the tasks of parties, sorted.
func partyTasks(parties []Party) []op.Task {
	all := make([]op.Task, len(parties))
	for i := range parties {
		all[i] = parties[i].Task
	}
	slices.Sort(all)
	return all
}
