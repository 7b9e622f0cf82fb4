package report

import (
	"regexp"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/report/internal/operand"
	"github.com/antichain-go/antichain/tracer/op"
)

// objects names the objects of a finding as the program's source does at the operations on them:
// "from.mu". The source may have several names for one object, and one name for several; then the
// number of the object stands beside it: "from.mu (mutex 3)". An object for which the source has no
// name is called by its number alone.
type objects struct {
	numbers op.Names
	source  Source
	at      map[mention]string            // what the source calls an object there
	called  map[op.Object]map[string]bool // what it calls an object anywhere
	calls   map[string]map[op.Object]bool // what it calls so
	parties map[op.Object]map[string]bool // what it calls an object that a party operates on
}

// mention is an object that is operated on at a place.
type mention struct {
	object op.Object
	at     op.Place
}

// objectsOf finds out what the source calls the objects of a finding.
func objectsOf(f *builtin.Finding, names op.Names, source Source) *objects {
	o := &objects{
		numbers: names, source: source, at: map[mention]string{},
		called: map[op.Object]map[string]bool{}, calls: map[string]map[op.Object]bool{},
		parties: map[op.Object]map[string]bool{},
	}
	for i := range f.Parties {
		p := &f.Parties[i]
		if name := o.find(p.Kind, p.Object, p.At); name != "" {
			put(o.parties, p.Object, name)
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

// put adds b to what belongs to a.
func put[A, B comparable](m map[A]map[B]bool, a A, b B) {
	if m[a] == nil {
		m[a] = map[B]bool{}
	}
	m[a][b] = true
}

// find finds out what the source calls the object of an operation.
func (o *objects) find(kind op.Kind, object op.Object, at op.Place) string {
	if object == 0 {
		return ""
	}
	name := o.expression(kind, at)
	if name != "" {
		o.at[mention{object, at}] = name
		put(o.called, object, name)
		put(o.calls, name, object)
	}
	return name
}

// expression returns what the source has for the object of an operation at a place; "" if that is
// not clear, or a library works there for the program.
func (o *objects) expression(kind op.Kind, at op.Place) string {
	if at == 0 {
		return ""
	}
	l := o.numbers.Place(at)
	if inside, _ := split(&l); len(inside) > 1 {
		return ""
	}
	src, line, ok := o.source.File(l.At)
	if !ok {
		return ""
	}
	return operand.Of(src, line, kind)
}

// label names an object where it is operated on.
func (o *objects) label(object op.Object, at op.Place) string {
	if name, ok := o.at[mention{object, at}]; ok {
		return o.withNumber(name, object)
	}
	return o.name(object)
}

// name names an object by itself.
func (o *objects) name(object op.Object) string {
	for _, names := range [...]map[string]bool{o.parties[object], o.called[object]} {
		if len(names) == 1 {
			for name := range names {
				return o.withNumber(name, object)
			}
		}
	}
	return o.numbers.Object(object)
}

// withNumber adds the number to a name that does not say which object it is.
func (o *objects) withNumber(name string, object op.Object) string {
	if len(o.called[object]) == 1 && len(o.calls[name]) == 1 {
		return name
	}
	return name + " (" + o.numbers.Object(object) + ")"
}

// sentence puts names into a sentence that has numbers.
func (o *objects) sentence(text string) string {
	for object := range o.called {
		text = o.replace(text, object, o.name(object))
	}
	return text
}

// replace puts the name of an object in the place of its number.
func (o *objects) replace(text string, object op.Object, name string) string {
	number := regexp.MustCompile(`\b` + regexp.QuoteMeta(o.numbers.Object(object)) + `\b`)
	return number.ReplaceAllLiteralString(text, name)
}

// memory names the memory that a party writes, "" if it reads.
func (o *objects) memory(p *builtin.Party) string {
	if p.Kind != op.Write {
		return ""
	}
	return o.expression(op.Write, p.At)
}

// race is sentence for a race. Its object is memory, which has no number.
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
