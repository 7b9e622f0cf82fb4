package gcl

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// process is a process that can be run.
type process struct {
	name      string
	locations []location
	field     field   // of its location, the first one at the beginning
	places    []place // what the locations of a structured process are; nil for another
}

// location is a place where a process can be. In a structured process that is the node executed last together with the one that comes
// next: so several may have one name.
type location struct {
	at       string
	commands []*command
}

// command leads from one location to another.
type command struct {
	guard   func(packedState) bool // nil if it is always true
	cond    Expr                   // of the guard
	effects []effect
	read    []*variable // by the guard and the effects, perhaps several times
	to      int32       // number of the location

	process int32
	number  int32 // among all commands
	node    string
	text    string // what it does
	edge    string // the same without a goto, for flow graphs
	pos     Pos
}

// effect assigns to a variable, or exchanges two.
type effect struct {
	to    *variable
	value func(packedState) int64
	expr  Expr      // of the value
	with  *variable // nil for an assignment
	pos   Pos
	text  string
}

// builder makes the locations of a process.
type builder struct {
	*compiler
	commands *[]*command // of all processes
	process  *process
	index    int32            // of the process
	targets  map[string]int32 // locations of labels
}

// end is where a process is that has no next label. It cannot be the name of one.
const end = "end"

// labelled makes a location for each label.
func (b *builder) labelled(cs []*Command) {
	b.targets = map[string]int32{}
	for i, c := range cs {
		if _, ok := b.targets[c.Label.Name]; ok {
			b.fail(c.Label.Pos, "there is a label "+source.Short(c.Label.Name)+" already", "another name", "")
		}
		b.targets[c.Label.Name] = int32(i)
		b.process.locations = append(b.process.locations, location{at: c.Label.Name})
	}
	b.process.locations = append(b.process.locations, location{at: end})
	for i, c := range cs {
		for _, a := range c.Alternatives {
			b.alternative(int32(i), a)
		}
	}
}

// alternative adds the command of an alternative, unless its condition is never true.
func (b *builder) alternative(from int32, a *Alternative) {
	c := &command{to: from + 1, node: b.process.locations[from].at, text: alternativeText(a), pos: a.Pos}
	if a.Guard != nil {
		hold, fixed := b.condition(a.Guard)
		if fixed && !hold(nil) {
			b.read = nil
			return
		}
		if !fixed {
			c.guard, c.cond = hold, a.Guard
		}
	}
	c.edge = edgeText(a)
	c.effects = b.effects(a.Steps)
	if g, ok := a.Steps[len(a.Steps)-1].(*Goto); ok {
		c.to = b.target(g.Label)
	}
	b.add(from, c)
}

// target returns the location of a label.
func (b *builder) target(n *Name) int32 {
	to, ok := b.targets[n.Name]
	if !ok {
		hint := "the process has no such label"
		var labels []string
		for _, l := range b.process.locations {
			labels = append(labels, l.at)
		}
		if near := source.Closest(n.Name, labels); near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		b.fail(n.Pos, "there is no label "+source.Short(n.Name), "", hint)
	}
	return to
}

func (b *builder) add(from int32, c *command) {
	c.process, c.number = b.index, int32(len(*b.commands))
	*b.commands = append(*b.commands, c)
	c.read, b.read = b.read, nil
	l := &b.process.locations[from]
	l.commands = append(l.commands, c)
}

// effects compiles steps. An assignment to an output has none.
func (b *builder) effects(steps []Step) (es []effect) {
	for _, s := range steps {
		switch s := s.(type) {
		case *Assign:
			value := b.number(s.Value)
			if !b.outputs[s.Var.Name] {
				es = append(es, effect{to: b.variable(s.Var), value: value.number, expr: s.Value, pos: s.Var.Pos, text: stepText(s)})
			}
		case *Exchange:
			left, right := b.variable(s.Left), b.variable(s.Right)
			b.read = append(b.read, left, right)
			es = append(es, effect{to: left, with: right, pos: s.Left.Pos, text: stepText(s)})
		}
	}
	return es
}

// place is a location of a structured process: the node that was executed last, nil at the beginning, and that which comes
// next, nil at the end.
type place struct{ last, next *node }

// structured makes the locations of structured statements that can be reached.
func (b *builder) structured(body Statement, letter string) {
	n := &nodes{letter: letter, of: map[Statement]*node{}}
	n.number(body)
	known := map[place]int32{}
	var places []place
	location := func(p place) int32 {
		at, ok := known[p]
		if !ok {
			at = int32(len(places))
			known[p], places = at, append(places, p)
			b.process.locations = append(b.process.locations, n.location(p))
		}
		return at
	}
	location(place{nil, n.link(body, nil)})
	for from := 0; from < len(places); from++ {
		b.node(int32(from), places[from].next, location)
	}
	b.process.places = places
}

func (n *nodes) location(p place) location {
	if p.last == nil {
		return location{at: n.label(0)}
	}
	return location{at: p.last.label}
}

// node adds the commands that execute a node.
func (b *builder) node(from int32, n *node, location func(place) int32) {
	if n == nil {
		return
	}
	switch s := n.statement.(type) {
	case *Atomic:
		b.add(from, &command{effects: b.effects(s.Steps), to: location(place{n, n.next}), node: n.label, text: bracesText(s.Steps), pos: s.Pos})
	case *Wait:
		b.test(from, s.Cond, false, &command{node: n.label, text: "wait " + exprText(s.Cond), pos: s.Pos}, place{n, n.next}, location)
	case *While:
		b.branches(from, s.Cond, n, "while "+exprText(s.Cond), s.Pos, location)
	case *If:
		b.branches(from, s.Cond, n, "if "+exprText(s.Cond), s.Pos, location)
	}
}

// branches adds the commands of a test that succeeds and of one that fails.
func (b *builder) branches(from int32, cond Expr, n *node, text string, pos Pos, location func(place) int32) {
	b.test(from, cond, true, &command{node: n.label, text: text + ": yes", pos: pos}, place{n, n.yes}, location)
	b.test(from, cond, false, &command{node: n.label, text: text + ": no", pos: pos}, place{n, n.next}, location)
}

// test adds a command that is possible where a condition has a value, unless it never has.
func (b *builder) test(from int32, cond Expr, value bool, c *command, to place, location func(place) int32) {
	hold, fixed := b.condition(cond)
	switch {
	case fixed && hold(nil) != value:
		b.read = nil
		return
	case !fixed && value:
		c.guard, c.cond = hold, cond
	case !fixed:
		c.guard, c.cond = func(w packedState) bool { return !hold(w) }, &Unary{Not, cond, cond.position()}
	}
	c.to = location(to)
	b.add(from, c)
}
