package san

import (
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Scope is the kind of scope in which a variable was found.
type Scope uint8

// The scopes, in the order in which they are searched. Invisible means that none has the variable.
const (
	Invisible Scope = iota
	InFrame
	InOwn
	InShared
	InConst
)

// Variable is the variable that a path resolves to. It is valid until the walker moves.
type Variable struct {
	Scope Scope
	// the variable's name, a prefix of the path; paths with one Key and Scope read the same value
	Key  string
	Rest []string // the elements of the path after Key: fields of the value
	// its possible values: one value, or a shared variable's set without duplicates; must not be
	// changed
	Values []event.Value
}

// Visible reports whether the path resolves to a variable.
func (v Variable) Visible() bool { return v.Scope != Invisible }

// Path is a dotted name compiled for Lookup in the states of one net.
type Path struct {
	elems    []string
	keys     []key // prefixes of elems that name a variable anywhere in the net, the longest first
	previous bool  // look it up in the previous local state
}

// key is a prefix of a path that names a variable somewhere in the net.
type key struct {
	name     string
	length   int            // number of elements of the path
	variable int32          // number among the net's variables, or -1
	shared   int32          // index into the net's shared variables, or -1
	constant *event.Binding // or nil
}

// Path compiles a dotted name for fast lookup.
func (n *Net) Path(path []string) Path {
	p := Path{elems: path}
	for i := len(path); i > 0; i-- {
		k := key{name: strings.Join(path[:i], "."), length: i, shared: -1}
		if n.growing { // a later event may bind it
			n.vars.id(k.name)
		}
		if k.variable = n.vars.find(k.name); k.variable >= 0 {
			if s, ok := n.sharedOf[uint32(k.variable)]; ok {
				k.shared = s
			}
		}
		for j := range n.header.Consts {
			if n.header.Consts[j].Name == k.name {
				k.constant = &n.header.Consts[j]
			}
		}
		if k.variable >= 0 || k.constant != nil {
			p.keys = append(p.keys, k)
		}
	}
	return p
}

// PreviousPath compiles a dotted name for lookup in previous local states (see State.Previous). A
// shared variable has no previous value; only local copies of it are found.
func (n *Net) PreviousPath(path []string) Path {
	p := n.Path(path)
	p.previous = true
	for i := range p.keys {
		p.keys[i].shared = -1
	}
	if n.growing { // it may forget
		n.looksBack = true
	}
	return p
}

// Resolve is Lookup(net.Path(path)).
func (s *State) Resolve(path []string) Variable { return s.Lookup(s.n.Path(path)) }

// Lookup resolves a compiled path. It searches frames from the innermost outwards, then the task's
// own scope, shared variables and constants. In each scope the longest visible key among a.b.c,
// a.b, a counts.
func (s *State) Lookup(p Path) Variable {
	if len(p.keys) == 0 {
		return Variable{}
	}
	if p.previous {
		if s = s.Previous(); s == nil {
			return Variable{}
		}
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		if v := s.frames[i].vars.lookup(p); v.Visible() {
			v.Scope = InFrame
			return v
		}
	}
	if v := s.own.lookup(p); v.Visible() {
		return v
	}
	for _, k := range p.keys {
		if k.shared >= 0 && !s.n.hasForgotten {
			return p.variable(k, InShared, s.n.sharedValues(&s.n.shared[k.shared], s.task, s.k))
		}
	}
	for _, k := range p.keys {
		if k.constant != nil {
			return p.variable(k, InConst, []event.Value{k.constant.Value})
		}
	}
	return Variable{}
}

func (s *scope) lookup(p Path) Variable {
	if len(s.slots) == 0 {
		return Variable{}
	}
	for _, k := range p.keys {
		if k.variable < 0 {
			continue
		}
		if slot := s.find(uint32(k.variable)); slot != nil {
			return p.variable(k, InOwn, slot.value[:])
		}
	}
	return Variable{}
}

func (p Path) variable(k key, scope Scope, values []event.Value) Variable {
	return Variable{scope, k.name, p.elems[k.length:], values}
}
