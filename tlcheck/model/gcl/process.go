package gcl

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

type process struct {
	name      string
	locations []location
	field     kripke.PackedField // index of its location; the first location is 0
	// the control points behind the locations; nil without structured statements
	controlPoints []controlPoint
}

// location is a control location of a process. In a structured process it combines the node
// executed last and the next one, so several may have the same name.
type location struct {
	at       string
	commands []*command
}

type command struct {
	guard   func(packedState) bool // nil if always true
	cond    Expr                   // of the guard
	effects []effect
	read    []*variable // variables that the guard and the effects read, perhaps repeatedly
	to      int32       // index of the location

	process int32
	number  int32 // index among all commands
	node    string
	text    string // of the command
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

type builder struct {
	*compiler
	commands *[]*command // of all processes
	process  *process
	index    int32            // of the process
	targets  map[string]int32 // locations by label
}

// end is the location behind the last label. It is a keyword, so no label has this name.
const end = "end"

func (b *builder) addLabelled(cs []*Command) {
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

// alternative adds the command of an alternative, unless its condition is always false.
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

// effects compiles steps. An assignment to an output has no effect.
func (b *builder) effects(steps []Step) (es []effect) {
	for _, s := range steps {
		switch s := s.(type) {
		case *Assign:
			value := b.number(s.Value)
			if !b.outputs[s.Var.Name] {
				es = append(es, effect{to: b.variable(s.Var), value: value.number, expr: s.Value, pos: s.Var.Pos,
					text: stepText(s)})
			}
		case *Exchange:
			left, right := b.variable(s.Left), b.variable(s.Right)
			b.read = append(b.read, left, right)
			es = append(es, effect{to: left, with: right, pos: s.Left.Pos, text: stepText(s)})
		}
	}
	return es
}

// controlPoint is a location of a structured process: the node executed last, nil initially, and
// the next one, nil at the end.
type controlPoint struct{ last, next *node }

// addStructured makes the reachable locations of structured statements.
func (b *builder) addStructured(body Statement, letter string) {
	n := &nodes{letter: letter, of: map[Statement]*node{}}
	n.number(body)
	known := map[controlPoint]int32{}
	var places []controlPoint
	location := func(p controlPoint) int32 {
		at, ok := known[p]
		if !ok {
			at = int32(len(places))
			known[p], places = at, append(places, p)
			b.process.locations = append(b.process.locations, n.location(p))
		}
		return at
	}
	location(controlPoint{nil, n.link(body, nil)})
	for from := 0; from < len(places); from++ {
		b.node(int32(from), places[from].next, location)
	}
	b.process.controlPoints = places
}

func (n *nodes) location(p controlPoint) location {
	if p.last == nil {
		return location{at: n.label(0)}
	}
	return location{at: p.last.label}
}

// node adds the commands that execute a node.
func (b *builder) node(from int32, n *node, location func(controlPoint) int32) {
	if n == nil {
		return
	}
	switch s := n.statement.(type) {
	case *Atomic:
		b.add(from, &command{effects: b.effects(s.Steps), to: location(controlPoint{n, n.next}), node: n.label,
			text: bracesText(s.Steps), pos: s.Pos})
	case *Wait:
		b.test(from, s.Cond, false, &command{node: n.label, text: "wait " + exprText(s.Cond), pos: s.Pos},
			controlPoint{n, n.next}, location)
	case *While:
		b.branches(from, s.Cond, n, "while "+exprText(s.Cond), s.Pos, location)
	case *If:
		b.branches(from, s.Cond, n, "if "+exprText(s.Cond), s.Pos, location)
	}
}

// branches adds the commands for both results of a test.
func (b *builder) branches(from int32, cond Expr, n *node, text string, pos Pos, location func(controlPoint) int32) {
	b.test(from, cond, true, &command{node: n.label, text: text + ": yes", pos: pos}, controlPoint{n, n.yes}, location)
	b.test(from, cond, false, &command{node: n.label, text: text + ": no", pos: pos}, controlPoint{n, n.next}, location)
}

// test adds a command for one result of a test, unless the test cannot have that result.
func (b *builder) test(from int32, cond Expr, value bool, c *command, to controlPoint,
	location func(controlPoint) int32) {
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
