package builtin

import "github.com/antichain-go/antichain/tracer/op"

// flaw is one thing that can be wrong with two operations on an object.
type flaw uint8

// pair is a finding about two operations. The second may be none, that is, of kind None.
type pair struct {
	flaw          flaw
	how           Certainty
	first, second mark
	object        op.Object
	count         int
}

// pairs are those found, one of each flaw and two places.
type pairs struct {
	list  []pair
	index map[pairKey]int
	told  int // of the list, by certain
}

type pairKey struct {
	flaw          flaw
	how           Certainty
	first, second op.Place
}

// maxPairs bounds what is kept of a run that is wrong in very many places.
const maxPairs = 1000

func (ps *pairs) add(p pair) {
	key := pairKey{p.flaw, p.how, p.first.at, p.second.at}
	if i, ok := ps.index[key]; ok {
		ps.list[i].count++
		return
	}
	if len(ps.list) == maxPairs {
		return
	}
	if ps.index == nil {
		ps.index = map[pairKey]int{}
	}
	ps.index[key] = len(ps.list)
	p.count = 1
	ps.list = append(ps.list, p)
}

// certain tells the pairs that it has not told so far.
func (ps *pairs) certain(property Property, names op.Names, describe func(words, *pair) description) []Finding {
	return ps.fresh().findings(property, names, describe)
}

// fresh returns the pairs that it has not returned so far.
func (ps *pairs) fresh() *pairs {
	fresh := &pairs{list: ps.list[ps.told:]}
	ps.told = len(ps.list)
	return fresh
}

// findings tells each pair with what describe says about it.
func (ps *pairs) findings(property Property, names op.Names, describe func(words, *pair) description) []Finding {
	var all []Finding
	for i := range ps.list {
		p := &ps.list[i]
		d := describe(words{names}, p)
		f := Finding{Property: property, How: p.how, Text: d.text, Notes: d.notes, Count: p.count}
		f.Parties = append(f.Parties, p.first.party(p.object, d.first))
		if p.second.kind != op.None {
			f.Parties = append(f.Parties, p.second.party(p.object, d.second))
		}
		for _, m := range d.schedule {
			f.Schedule = append(f.Schedule, m.step(p.object))
		}
		all = append(all, f)
	}
	return all
}

// description is a pair in words: what is wrong, what each of the two tasks does, and in which order
// that goes wrong.
type description struct {
	text, first, second string
	schedule            []mark
	notes               []string
}
