package candidate

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Flaw is one thing that can be wrong with two operations on an object.
type Flaw uint8

// Pair is a finding about two operations. The second may be none, that is, of kind None.
type Pair struct {
	Flaw          Flaw
	How           rule.Certainty
	First, Second Mark
	Object        op.Object
	Count         int
}

// Misuse identifies the flaw of a misuse, and what it was about to do.
type Misuse struct {
	Flaw Flaw
	Kind op.Kind
}

// Pairs collects findings about two operations: one for each flaw and two places. Detectors embed
// it.
type Pairs struct {
	Scope    rule.Scope
	Describe func(Words, *Pair) Description
	ByFirst  bool                  // one of each first place is enough
	Misuses  map[op.Mistake]Misuse `snapshot:"-"` // all detectors of a rule share them

	list     []Pair
	index    map[pairKey]int
	reported int // of the list, by Certain
}

type pairKey struct {
	flaw          Flaw
	how           rule.Certainty
	first, second op.Place
}

// Description is a pair in words: what is wrong, what each of the two tasks does, and in which
// order that goes wrong. Without a text the pair is no finding.
type Description struct {
	Text, First, Second string
	Schedule            []Mark
	Fails               Mark // of the first, if that comes behind where it is
	Notes               []string
	Guess               *rule.Guess
	IsDoubted           bool // something speaks against the guess: the pair is only possible
}

// MaxPairs limits Pairs.
const MaxPairs = 1000

// Observe adds a pair that the run has shown; see add.
func (ps *Pairs) Observe(flaw Flaw, first, second Mark, object op.Object) *Pair {
	return ps.add(Pair{Flaw: flaw, How: rule.Observed, First: first, Second: second, Object: object})
}

// Predict adds a pair that another order of the run leads to.
func (ps *Pairs) Predict(flaw Flaw, first, second Mark, object op.Object) {
	ps.add(Pair{Flaw: flaw, How: rule.Predicted, First: first, Second: second, Object: object})
}

// add keeps a pair, or counts it if one like it is kept. It returns the kept one, nil if there is
// no room.
func (ps *Pairs) add(p Pair) *Pair {
	key := pairKey{p.Flaw, p.How, p.First.At, p.Second.At}
	if ps.ByFirst {
		key = pairKey{first: p.First.At}
	}
	if i, ok := ps.index[key]; ok {
		ps.list[i].Count++
		return &ps.list[i]
	}
	if len(ps.list) == MaxPairs {
		return nil
	}
	if ps.index == nil {
		ps.index = map[pairKey]int{}
	}
	ps.index[key] = len(ps.list)
	p.Count = 1
	ps.list = append(ps.list, p)
	return &ps.list[len(ps.list)-1]
}

// AddMisuse adds a misuse, if it is one of Misuses, with the operation that caused it.
func (ps *Pairs) AddMisuse(o *op.Op, behind Mark) {
	if m, ok := ps.Misuses[o.Mistake()]; ok {
		ps.Observe(m.Flaw, MarkOf(o, m.Kind), behind, o.Object)
	}
}

// Findings reports all pairs.
func (ps *Pairs) Findings(names op.Names) []rule.Finding { return ps.report(ps.list, names) }

// Certain reports the pairs that it has not reported so far.
func (ps *Pairs) Certain(names op.Names) []rule.Finding {
	fresh := ps.list[ps.reported:]
	ps.reported = len(ps.list)
	return ps.report(fresh, names)
}

// report returns pairs as findings.
func (ps *Pairs) report(pairs []Pair, names op.Names) []rule.Finding {
	var all []rule.Finding
	for i := range pairs {
		p := &pairs[i]
		d := ps.Describe(Words{names}, p)
		if d.Text == "" {
			continue
		}
		f := d.Finding(p)
		f.Scope = ps.Scope
		all = append(all, f)
	}
	return all
}

// Finding returns the pair that is described.
func (d *Description) Finding(p *Pair) rule.Finding {
	f := rule.Finding{
		How: p.How, Text: d.Text, Notes: d.Notes, Guess: d.Guess, Count: p.Count,
		Fails: rule.Deed{Kind: d.Fails.Kind, At: d.Fails.At},
	}
	if d.IsDoubted {
		f.How = rule.Possible
	}
	f.Parties = append(f.Parties, p.First.Party(p.Object, d.First))
	if p.Second.Kind != op.None {
		f.Parties = append(f.Parties, p.Second.Party(p.Object, d.Second))
	}
	for _, m := range d.Schedule {
		f.Schedule = append(f.Schedule, m.Step(p.Object))
	}
	return f
}

// Candidate returns the pair that is described as a candidate: nothing is known of it but that
// critical sections order the two; see rule.Suspecting. Steps of kind None are left out of the
// order that leads there.
func (d *Description) Candidate(p *Pair, order ...op.Step) rule.Finding {
	f := d.Finding(p)
	f.How, f.Sectioned, f.Count = rule.Possible, true, 1
	f.Schedule = slices.DeleteFunc(order, func(s op.Step) bool { return s.Kind == op.None })
	return f
}
