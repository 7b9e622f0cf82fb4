package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// A detector looks for violations of one property.
//
// What it keeps has a bound that does not depend on the length of the run: it dedups what it finds by
// places before it keeps it, and forgets objects when they are freed. Where a bound drops something, a
// violation may be missed, but none may be made up.
type detector interface {
	// kinds lists the operations that op is to be called with.
	kinds() []op.Kind
	// op is told the operations of the run. It must not keep o or o.Cases.
	op(o *op.Op)
	// findings returns what was found, once, after the last operation, in an order that depends on
	// nothing but the operations. A Count of 0 means 1.
	findings(names op.Names) []Finding
}

// objects has what is remembered of each object.
type objects[V any] = sparse.Array[op.Object, V]

// of returns what is remembered of an object, which is new if there was nothing.
func of[V any](all *objects[V], o op.Object) *V { return reusing(new(freelist.List[V]), all, o) }

// reusing is of with the memory of objects that are gone.
func reusing[V any](spare *freelist.List[V], all *objects[V], o op.Object) *V {
	v := all.At(o)
	if v == nil {
		v = spare.Get()
		all.Set(o, v)
	}
	return v
}

// A promptDetector knows of violations before the run is over.
type promptDetector interface {
	detector
	// certain returns what was found since it was called last and stands however the run goes on.
	certain(names op.Names) []Finding
}

// A reorderer asks whether critical sections can come in another order.
type reorderer interface {
	detector
	reorders(h *reorder.History)
}

// detectors makes the detector of each property.
var detectors = map[Property]func() detector{
	Deadlock:  newDeadlockDetector,
	Stuck:     newStuckDetector,
	Leak:      newLeakDetector,
	Closed:    newClosedDetector,
	WaitGroup: newWaitGroupDetector,
	Unlock:    newUnlockDetector,
	Panic:     newPanicDetector,
	Copy:      newCopyDetector,
	Race:      func() detector { return new(race) },
}

// Checker looks for violations of built-in properties while it is told a run.
type Checker struct {
	detectors  []detector
	wanted     [op.KindCount][]detector
	remembered [op.KindCount]bool // by history
	ending     *stuckDetector     // knows who could go on at the end; nil if no property needs that
	history    *reorder.History   // nil if no property asks for other orders of sections

	told map[Key]Certainty // by Certain
	dead map[blockage]bool // in deadlocks that it told
}

// blockage is when a task began to wait: with its operation k.
type blockage struct {
	task op.Task
	k    int32
}

// where is a task that stays at a place.
type where struct {
	task op.Task
	at   op.Place
}

// Key tells findings apart, also those of several runs of an executable: those that differ in tasks and objects only have the same.
type Key struct {
	property Property
	places   string
}

// New returns a checker of those properties, and an error if one of them does not exist.
func New(properties ...Property) (*Checker, error) {
	for _, p := range properties {
		if _, err := Parse(string(p)); err != nil {
			return nil, err
		}
	}
	c := new(Checker)
	for _, p := range Properties {
		newDetector := detectors[p]
		if newDetector == nil || !slices.Contains(properties, p) {
			continue
		}
		c.detectors = append(c.detectors, c.tell(newDetector()))
	}
	if c.ending == nil && slices.Contains(properties, Deadlock) {
		c.tell(newStuckDetector())
	}
	return c, nil
}

// tell lets a detector be told what it wants. A history is told first what detectors may ask it about.
func (c *Checker) tell(d detector) detector {
	if r, ok := d.(reorderer); ok {
		if c.history == nil {
			c.history = reorder.New()
			for _, k := range c.history.Kinds() {
				c.remembered[k] = true
			}
		}
		r.reorders(c.history)
	}
	for _, k := range d.kinds() {
		c.wanted[k] = append(c.wanted[k], d)
	}
	if s, ok := d.(*stuckDetector); ok {
		c.ending = s
	}
	return d
}

// MissesAccesses says that some accesses to memory are not told, those of packages that are not looked at for example. What rests on critical
// sections in other orders is not certain then.
func (c *Checker) MissesAccesses() {
	if c.history != nil {
		c.history.LeaveOpen()
	}
}

// LacksAccesses says that no accesses to memory are told.
func (c *Checker) LacksAccesses() {
	if c.history != nil {
		c.history.LeaveOff()
	}
}

// Op tells the next operation of the run.
func (c *Checker) Op(o *op.Op) {
	if o.Task == op.NoTask && o.Kind != op.Free && o.Kind != op.Handoff {
		return // by the runtime for itself, as records that anybody may have written say
	}
	if c.remembered[o.Kind] {
		c.history.Op(o)
	}
	for _, d := range c.wanted[o.Kind] {
		d.op(o)
	}
}

// Certain returns the violations found since it was called last that stand however the run goes on: races, misuse of channels, WaitGroups
// and locks, deadlocks that rest on locks alone. Each is returned once, and once more if it happens after it was
// predicted. What rests on reads is Reordered, since any of them can turn out to race with a write that comes. That the tasks of a deadlock wait is certain; see Guess for what others could do about it. Findings marks them as Told, but
// for a deadlock behind which others have come to wait.
func (c *Checker) Certain(names op.Names) []Finding {
	var found []Finding
	for _, d := range c.detectors {
		if p, ok := d.(promptDetector); ok {
			found = append(found, p.certain(names)...)
		}
	}
	found = merge(names, slices.DeleteFunc(found, func(f Finding) bool { return internal(names, &f) }))
	found = slices.DeleteFunc(found, func(f Finding) bool { return c.isTold(names, &f) })
	for i := range found {
		c.tells(names, &found[i])
	}
	c.assume(names, found)
	return found
}

// tells remembers that Certain returns the finding.
func (c *Checker) tells(names op.Names, f *Finding) {
	if c.told == nil {
		c.told, c.dead = map[Key]Certainty{}, map[blockage]bool{}
	}
	c.told[f.Key(names)] = f.How
	for _, p := range f.Parties {
		if f.Property == Deadlock && f.How == Observed {
			c.dead[blockage{p.Task, p.k}] = true
		}
	}
}

// isTold reports whether Certain has returned the finding, known as well or better. Tasks may be in several cycles, of which one is told;
// those that an unlock by another task has freed may come to be in others.
func (c *Checker) isTold(names op.Names, f *Finding) bool {
	if c.told == nil {
		return false // and the names of places are not asked for
	}
	if how, ok := c.told[f.Key(names)]; ok && how <= f.How {
		return true
	}
	return f.Property == Deadlock && f.How == Observed &&
		slices.ContainsFunc(f.Parties, func(p Party) bool { return c.dead[blockage{p.Task, p.k}] })
}

// Key returns the key of a finding of a run with these names.
func (f *Finding) Key(names op.Names) Key { return Key{f.Property, places(names, f)} }

// Findings returns the violations found, sorted, after the last operation. Those that differ in tasks
// and objects only are one; what happened in the run is not reported again as predicted. Those with the same cause are in Also of the
// best known one.
func (c *Checker) Findings(names op.Names) []Finding {
	var all []Finding
	for _, d := range c.detectors {
		if d == detector(c.ending) {
			c.ending.dead = deadIn(all)
		}
		found := d.findings(names)
		all = append(all, slices.DeleteFunc(found, func(f Finding) bool { return internal(names, &f) })...)
	}
	all = merge(names, all)
	for i := range all {
		all[i].Told = c.isTold(names, &all[i])
	}
	all = withoutRepeated(all)
	c.assume(names, all)
	return byCause(names, all)
}

// assume says of deadlocks that happened what they rest on if other tasks could have gone on: any of these may unlock a lock of
// somebody else, or use a channel that it has not used so far.
func (c *Checker) assume(names op.Names, all []Finding) {
	happened := func(f Finding) bool { return f.Property == Deadlock && f.How == Observed }
	if c.ending == nil || !slices.ContainsFunc(all, happened) {
		return
	}
	if _, _, running := c.ending.stuckAtEnd(names, nil); !running {
		return
	}
	for i := range all {
		if f := &all[i]; happened(*f) {
			f.assumeOthers("uses these channels or unlocks these locks")
		}
	}
}

// assumeOthers says that a finding rests on what other goroutines, which could go on, do not do.
func (f *Finding) assumeOthers(does string) {
	f.Guess = &Guess{Text: "no other goroutine " + does}
	f.Notes = append(f.Notes, "other goroutines could go on; the report assumes that none of them "+does)
}

// internal reports whether the finding concerns nobody but the standard library. Who waits for ever in
// a call of it, as for the reader of an io.Pipe, is concerned, and so is who calls methods of an
// http.Header while others do: what races in there is the caller's. So is a panic in there. A race that nothing hides is told
// wherever it is, as by the race detector: it may be a bug of the library, or in what the program has handed to it.
func internal(names op.Names, f *Finding) bool {
	if f.Property == Race && !f.sectioned {
		return false
	}
	callers := f.Property == Race || f.Property == Panic || f.Property == Stuck && f.How == Observed
	for i := range f.Parties {
		p := &f.Parties[i]
		if at := names.Place(p.At); p.At == 0 || !at.Library || callers && at.Called {
			return false
		}
		for _, h := range p.Holds {
			if h.At != 0 && !names.Place(h.At).Library {
				return false
			}
		}
	}
	return len(f.Parties) > 0
}

// maxAlikeKept are the findings of which a party is kept, beside the one that is told.
const maxAlikeKept = 16

// merge sorts findings and makes those at the same places, with the same cause if it is known, one, which is the best known of them.
func merge(names op.Names, all []Finding) []Finding {
	type keyed struct {
		Finding
		key string
	}
	sorted := make([]keyed, len(all))
	for i, f := range all {
		f.Count = max(f.Count, 1)
		sorted[i] = keyed{f, places(names, &f)}
		if f.cause != 0 {
			sorted[i].key += " " + callsTo(names, f.cause)
		}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int {
		return cmp.Or(rank(a.Property)-rank(b.Property), strings.Compare(a.key, b.key), int(a.How)-int(b.How), len(a.Parties)-len(b.Parties))
	})
	var merged []Finding
	for i, f := range sorted {
		if i > 0 && f.Property == sorted[i-1].Property && f.key == sorted[i-1].key {
			// What happened to some tasks is often predicted of them as well: that is no other one.
			if kept := &merged[len(merged)-1]; kept.How == f.How || f.Property == Race || !slices.Equal(tasks(kept), tasks(&f.Finding)) {
				kept.Count += f.Count
				if len(f.Parties) > 0 && len(kept.Alike) < maxAlikeKept {
					kept.Alike = append(kept.Alike, f.Parties[0])
				}
			}
			continue
		}
		merged = append(merged, f.Finding)
	}
	slices.SortStableFunc(merged, func(a, b Finding) int {
		return cmp.Or(rank(a.Property)-rank(b.Property), int(a.How)-int(b.How), compareBools(a.sectioned, b.sectioned))
	})
	return merged
}

// compareBools sorts false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// rank is the place of the property among all.
func rank(p Property) int { return slices.Index(Properties, p) }

// places tells where the parties are and what they do there; parties in another order are the same, and so
// are more of them at the same places, as in longer cycles of what one line locks in any order. Who waits behind them is no part of it.
func places(names op.Names, f *Finding) string {
	made := f.Makers()
	parties := make([]string, len(made))
	for i, p := range made {
		holds := make([]string, len(p.Holds))
		for j, h := range p.Holds {
			holds[j] = place(names, h.Kind, h.At)
		}
		slices.Sort(holds)
		parties[i] = place(names, p.Kind, p.At) + "(" + strings.Join(slices.Compact(holds), ",") + ")"
	}
	slices.Sort(parties)
	return strings.Join(slices.Compact(parties), " ")
}

// tasks are those of the parties, sorted.
func tasks(f *Finding) []op.Task {
	all := make([]op.Task, len(f.Parties))
	for i := range f.Parties {
		all[i] = f.Parties[i].Task
	}
	slices.Sort(all)
	return all
}

func place(names op.Names, kind op.Kind, at op.Place) string {
	return strconv.Itoa(int(kind)) + "@" + names.Place(at).At
}

// withoutRepeated removes what is part of another finding: that tasks wait behind those of a deadlock that
// happened, which is told there, and that those can be in a deadlock who wait for ever there anyway.
func withoutRepeated(all []Finding) []Finding {
	stuck := map[where]bool{}
	for i := range all {
		for _, p := range all[i].Parties {
			if all[i].How == Observed && all[i].Property == Stuck {
				stuck[where{p.Task, p.At}] = true
			}
		}
		if all[i].behind {
			addBehind(all, &all[i])
		}
	}
	return slices.DeleteFunc(all, func(f Finding) bool {
		return f.behind || f.Property == Deadlock && f.How != Observed &&
			!slices.ContainsFunc(f.Parties, func(p Party) bool { return !stuck[where{p.Task, p.At}] })
	})
}

// addBehind tells of tasks that wait behind those of a deadlock that happened: with the first, if there are
// several, since each may be the reason. If Certain has returned that one before, it is told once more with them: they would not wait if
// it had not happened, so it is no other violation.
func addBehind(all []Finding, f *Finding) {
	d := &all[slices.IndexFunc(all, func(d Finding) bool { return d.Property == Deadlock && d.How == Observed })]
	if d.core == 0 {
		d.core = len(d.Parties)
	}
	d.Text += "; behind them: " + f.Text
	d.Parties = append(d.Parties, f.Parties...)
	d.Notes = withoutEqual(append(d.Notes, f.Notes...))
	d.Told = false
}

// deadIn returns the tasks of deadlocks that happened.
func deadIn(all []Finding) taskSet {
	dead := taskSet{}
	for i := range all {
		for _, p := range all[i].Parties {
			if all[i].Property == Deadlock && all[i].How == Observed {
				dead[p.Task] = true
			}
		}
	}
	return dead
}
