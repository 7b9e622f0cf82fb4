package report

import (
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/report/internal/operand"
	"github.com/antichain-go/antichain/tracer/op"
)

// objects names the objects of a finding as the source does at the operations on them: "from.mu".
// The source may have several names for one object, and one name for several; then the name
// includes the number of the object: "from.mu (mutex 3)". An object without a name in the source is
// called by its number.
type objects struct {
	numbers      op.Names
	source       Source
	at           map[mention]string            // the source's name of an object there
	namesOf      map[op.Object]map[string]bool // its names of an object anywhere
	objectsNamed map[string]map[op.Object]bool // the objects with a name
	parties      map[op.Object]map[string]bool // its names of an object on which a party operates
}

// mention is an operation on an object at a place.
type mention struct {
	object op.Object
	at     op.Place
}

// objectsOf finds the source's names of the objects of a finding.
func objectsOf(f *builtin.Finding, names op.Names, source Source) *objects {
	o := &objects{
		numbers: names, source: source, at: map[mention]string{},
		namesOf: map[op.Object]map[string]bool{}, objectsNamed: map[string]map[op.Object]bool{},
		parties: map[op.Object]map[string]bool{},
	}
	for i := range f.Parties {
		p := &f.Parties[i]
		if name := o.find(p.Kind, p.Object, p.At); name != "" {
			addTo(o.parties, p.Object, name)
		}
		for _, h := range p.Holds {
			o.find(h.Kind, h.Object, h.At)
		}
	}
	for _, s := range f.Schedule {
		o.find(s.Kind, s.Object, s.At)
	}
	return o
}

// addTo adds b to the set of a.
func addTo[A, B comparable](m map[A]map[B]bool, a A, b B) {
	if m[a] == nil {
		m[a] = map[B]bool{}
	}
	m[a][b] = true
}

// find finds the source's name of the object of an operation.
func (o *objects) find(kind op.Kind, object op.Object, at op.Place) string {
	if object == 0 {
		return ""
	}
	name := o.expression(kind, at)
	if name != "" {
		o.at[mention{object, at}] = name
		addTo(o.namesOf, object, name)
		addTo(o.objectsNamed, name, object)
	}
	return name
}

// expression returns the source expression for the object of an operation at a place; "" if that is
// ambiguous, or if code of a library performs the operation.
func (o *objects) expression(kind op.Kind, at op.Place) string {
	if at == 0 {
		return ""
	}
	l := o.numbers.Place(at)
	if inside, _ := splitCalls(&l); len(inside) > 1 {
		return ""
	}
	src, line, ok := o.source.File(l.At)
	if !ok {
		return ""
	}
	return operand.Of(src, line, kind)
}

// label names an object at an operation on it.
func (o *objects) label(object op.Object, at op.Place) string {
	if name, ok := o.at[mention{object, at}]; ok {
		return o.withNumber(name, object)
	}
	return o.name(object)
}

// name names an object without a place.
func (o *objects) name(object op.Object) string {
	for _, names := range [...]map[string]bool{o.parties[object], o.namesOf[object]} {
		if len(names) == 1 {
			for name := range names {
				return o.withNumber(name, object)
			}
		}
	}
	return o.numbers.Object(object)
}

// withNumber adds the number to an ambiguous name.
func (o *objects) withNumber(name string, object op.Object) string {
	if len(o.namesOf[object]) == 1 && len(o.objectsNamed[name]) == 1 {
		return name
	}
	return name + " (" + o.numbers.Object(object) + ")"
}

// sentence replaces the numbers of objects in a sentence by names: where the place of an operation
// follows, by the one that the source has there.
func (o *objects) sentence(text string) string {
	for object := range o.namesOf {
		if !strings.Contains(text, o.numbers.Object(object)) {
			continue // there may be many
		}
		labels := map[string]string{"": o.name(object)} // by what follows
		places := ""
		for m := range o.at {
			if m.object != object {
				continue
			}
			if at := o.numbers.Place(m.at).At; at != "" {
				labels[" at "+at] = o.label(object, m.at)
				places += "|" + regexp.QuoteMeta(" at "+at) + `\b`
			}
		}
		number := o.number(object)
		named := regexp.MustCompile(number.String() + "(" + strings.TrimPrefix(places, "|") + ")?")
		text = named.ReplaceAllStringFunc(text, func(found string) string {
			at := found[len(number.FindString(found)):]
			return labels[at] + at
		})
	}
	return text
}

// replace replaces the number of an object by its name.
func (o *objects) replace(text string, object op.Object, name string) string {
	return o.number(object).ReplaceAllLiteralString(text, name)
}

// number matches the number of an object in a sentence.
func (o *objects) number(object op.Object) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(o.numbers.Object(object)) + `\b`)
}

// memory names the memory that a party writes, "" if it reads.
func (o *objects) memory(p *builtin.Party) string {
	if p.Kind != op.Write {
		return ""
	}
	return o.expression(op.Write, p.At)
}

// race describes a race in a sentence, with the name of the memory if the source has one.
func (o *objects) race(f *builtin.Finding) string {
	names := map[string]bool{}
	for i := range f.Parties {
		if name := o.memory(&f.Parties[i]); name != "" {
			names[name] = true
		}
	}
	if len(names) == 1 {
		for name := range names {
			return race.Text(f, o.numbers, name+", which")
		}
	}
	return f.Text
}
