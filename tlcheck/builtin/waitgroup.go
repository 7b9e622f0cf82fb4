package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// waitGroupRule reports counters of WaitGroups that become negative, and an Add that a Wait may miss.
var waitGroupRule = &rule.Rule{
	Name:  WaitGroup,
	Doc:   "reports counters of WaitGroups that become negative, and an Add that a Wait may miss",
	Kinds: []op.Kind{op.Add, op.Done, op.Wait, op.Misuse, op.Free},
	New:   newWaitGroupDetector,
}

// waitGroupDetector looks for WaitGroups whose counter can become negative, see counter, and for an Add
// that can start from zero while a Wait can return, or has returned, without an order between them.
//
// The latter is a slice in which the counter is 0, an Add is next and a task is about to Wait, or does
// so, or has done so, where the Add does not come before the task came there, nor after the Wait. That
// the return of a Wait comes after every Done so far does not count here: it need not have waited for
// them.
//
// If the counter was 0 in the run when the Add came, after a Wait that it does not come after, the run
// itself has shown the slice. For an Add that came before the Wait returned, it is decided exactly,
// among the operations that are remembered (see canBeZero): those since the last Add from zero behind a
// Wait, which are at most maxCounted besides the Adds that are not matched with a Done. Of an Add, the last
// Wait of each task and place is looked at, of 16 of those.
type waitGroupDetector struct {
	groups objects[waitGroup]
	spare  freelist.List[waitGroup]
	found  pairs
}

type waitGroup struct {
	counter
	waits    []wait // of different tasks and places, the last ones
	next     int    // the wait to go next
	asked    int    // waits that suspects were looked for, since the counter forgot
	suspects []suspect
}

// wait is a Wait, with what its task knew at its beginning.
type wait struct {
	mark
	begin *clock.Clock
}

// suspect is an Add and a Wait that have no order. Whether the counter can be zero is decided later.
type suspect struct {
	add  event
	wait wait
}

const (
	negative flaw = iota
	addAtWait
	waitReused
)

const (
	maxWaits    = 16
	maxSuspects = 64
	maxAlike    = 4 // suspects at the same two places
)

func newWaitGroupDetector() rule.Detector { return new(waitGroupDetector) }

func (d *waitGroupDetector) Op(o *op.Op) {
	switch o.Kind {
	case op.Add:
		d.add(o)
	case op.Done:
		d.done(o)
	case op.Wait:
		d.group(o.Object).wait(o)
	case op.Misuse:
		d.misuse(o)
	case op.Free:
		if g := d.groups.At(o.Object); g != nil {
			d.judge(o.Object, g)
			d.groups.Set(o.Object, nil)
			g.empty()
			d.spare.Put(g)
		}
	}
}

func (d *waitGroupDetector) group(object op.Object) *waitGroup {
	return reusing(&d.spare, &d.groups, object)
}

// fewCounted are operations for which a WaitGroup keeps its memory when it is gone.
const fewCounted = 16

// empty makes g one that nobody has used, with the memory that it has, if that is not much.
func (g *waitGroup) empty() {
	if cap(g.ups)+cap(g.downs)+cap(g.waits) > fewCounted {
		*g = waitGroup{}
		return
	}
	g.forget()
	g.sum = 0
	clear(g.waits)
	*g = waitGroup{counter: g.counter, waits: g.waits[:0]}
}

func (d *waitGroupDetector) add(o *op.Op) {
	g := d.group(o.Object)
	if g.sum == 0 && (g.asked > 0 || len(g.ups) > maxCounted/4) {
		// What has been so far is a slice in which the counter is 0. What comes now is looked at in
		// the slices behind that one.
		d.judge(o.Object, g)
		g.forget()
		g.asked = 0
	}
	e := eventOf(o)
	for i := range g.waits {
		w := &g.waits[i]
		switch {
		case w.before(o):
		case g.sum == 0:
			d.found.add(pair{flaw: addAtWait, how: Predicted, first: e.mark, second: w.mark, object: o.Object})
		default:
			g.suspect(suspect{e, *w})
		}
	}
	g.counter.add(e, o.N)
}

func (d *waitGroupDetector) done(o *op.Op) {
	g := d.group(o.Object)
	if g.sub(event{markOf(o, op.Done), o.Begin}, -o.N) > 0 && !g.blurred && g.sum >= 0 { // else it panics, which is told
		d.found.add(pair{flaw: negative, how: Predicted, first: markOf(o, op.Done), second: g.unknown(), object: o.Object})
	}
}

// wait tells that a Wait returned.
func (g *waitGroup) wait(o *op.Op) {
	w := wait{markOf(o, op.Wait), o.Begin}
	if !g.returns(&w) {
		*g = waitGroup{}
	}
	if g.asked < maxWaits {
		g.asked++
		g.ask(&w)
	}
	i := slices.IndexFunc(g.waits, func(x wait) bool { return x.task == w.task && x.at == w.at })
	switch {
	case i >= 0:
		g.waits[i] = w
	case len(g.waits) < maxWaits:
		g.waits = append(g.waits, w)
	default:
		g.waits[g.next] = w
		g.next = (g.next + 1) % maxWaits
	}
}

// ask suspects every Add that came before the Wait returned, but not before it began.
func (g *waitGroup) ask(w *wait) {
	var guarding guards
	for i := range g.ups {
		up := &g.ups[i]
		if up.within(w.begin, w.task, w.k) {
			continue
		}
		if guarding == nil {
			guarding = g.guards()
		}
		if !g.guarded(guarding, &up.event) {
			g.suspect(suspect{up.event, *w})
		}
	}
}

// returns reports whether the Wait can have returned by what was told. If not, this is another WaitGroup
// at the address of an earlier one, of which nobody said that it is gone.
func (g *waitGroup) returns(w *wait) bool {
	sum := int64(0)
	for _, by := range g.active {
		for _, u := range g.adders[by].open {
			if g.ups[u].within(w.begin, w.task, w.k) {
				sum += g.ups[u].free
			}
		}
	}
	return sum == 0
}

// suspect keeps a suspect, if there are not many like it.
func (g *waitGroup) suspect(s suspect) {
	if len(g.suspects) == maxSuspects {
		return
	}
	alike := 0
	for i := range g.suspects {
		if x := &g.suspects[i]; x.add.at == s.add.at && x.wait.at == s.wait.at {
			alike++
		}
	}
	if alike < maxAlike {
		g.suspects = append(g.suspects, s)
	}
}

// judge decides what is suspected so far.
func (d *waitGroupDetector) judge(object op.Object, g *waitGroup) {
	for i := range g.suspects {
		if s := &g.suspects[i]; g.canBeZero(s) {
			d.found.add(pair{flaw: addAtWait, how: Predicted, first: s.add.mark, second: s.wait.mark, object: object})
		}
	}
	g.suspects = nil
}

func (d *waitGroupDetector) misuse(o *op.Op) {
	switch o.N {
	case op.NegativeCounter:
		d.found.add(pair{flaw: negative, how: Observed, first: markOf(o, op.Done), object: o.Object})
	case op.WaitReuse:
		d.found.add(pair{flaw: waitReused, how: Observed, first: markOf(o, op.Wait), object: o.Object})
	}
}

func (d *waitGroupDetector) Findings(names op.Names) []Finding {
	for object, g := range d.groups.All() {
		d.judge(object, g)
	}
	return d.found.findings(WaitGroup, names, describeWaitGroup)
}

func (d *waitGroupDetector) Certain(names op.Names) []Finding {
	return d.found.certain(WaitGroup, names, describeWaitGroup)
}

func describeWaitGroup(w words, p *pair) description {
	group := w.object(p.object)
	switch {
	case p.flaw == waitReused:
		return description{
			text:  w.doer(&p.first) + " finds " + group + " used again before Wait has returned", // in Wait, Add or Done
			first: "finds " + group + " used again",
		}
	case p.flaw == negative && p.how == Observed:
		return description{text: w.doer(&p.first) + " makes the counter of " + group + " negative", first: "is done with " + group}
	case p.flaw == negative:
		return description{
			text: w.doer(&p.first) + " can make the counter of " + group + " negative: it does not wait for " +
				w.task(p.second.task) + ", which adds to it" + w.at(p.second.at),
			first:    "is done with " + group,
			second:   "adds to " + group,
			schedule: []mark{p.first},
		}
	}
	return description{
		text: w.doer(&p.first) + " can add to " + group + " from zero while " + w.task(p.second.task) +
			" waits for it" + w.at(p.second.at) + ", which may then return too early",
		first:    "adds to " + group,
		second:   "waits for " + group,
		schedule: []mark{p.second, p.first},
		notes:    []string{"an Add that starts from zero must come before the Wait: call it before the go statement, not in the goroutine"},
	}
}
