package gcl

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// build makes the system of a program.
type build struct {
	*expander
	s *System
	c *compiler
	p kripke.Packer

	processes map[string]bool    // names of the compiled ones
	set       map[*variable]bool // those with an initial value
}

// instance is one copy of a process.
type instance struct {
	*Process
	letter string // of its nodes, if it has structured statements
}

func (b *build) system(parameters map[string]int64) *System {
	s := b.s
	b.c = &compiler{file: s.file.Name, text: s.file.text, variables: map[string]*variable{}, outputs: map[string]bool{}}
	b.processes, b.set = map[string]bool{}, map[*variable]bool{}
	shared, instances := b.parts(parameters)
	b.declare(shared, kripke.NoProcess)
	for i, p := range instances {
		b.declare(p.Variables, i)
	}
	b.initially(shared)
	for _, p := range instances {
		b.initially(p.Variables)
		b.process(p)
	}
	s.compiler = b.c
	b.start()
	return s
}

// parts expands the program.
func (b *build) parts(parameters map[string]int64) (shared []Item, instances []instance) {
	for _, item := range b.file.Items {
		if p, ok := item.(*Param); ok {
			b.param(p, parameters)
			b.s.parameters = append(b.s.parameters, Parameter{p.Name, b.constants[p.Name]})
		}
	}
	structured := 0
	for _, item := range b.file.Items {
		p, ok := item.(*Process)
		if !ok {
			shared = append(shared, b.items([]Item{item})...)
			continue
		}
		for _, one := range b.expander.process(p) {
			instances = append(instances, instance{one, letterOf(structured)})
		}
		if p.Body != nil {
			structured++
		}
	}
	if len(instances) == 0 {
		b.fail(Pos{Line: 1, Col: 1}, "the program has no process", "", "")
	}
	return shared, instances
}

func (b *build) declare(items []Item, process int) {
	for _, item := range items {
		switch i := item.(type) {
		case *Declare:
			low, high := b.number(i.Low), b.number(i.High)
			if low > high {
				b.fail(i.Low.position(), fmt.Sprintf("the range [%d..%d] is empty", low, high), "",
					"the lower bound stands first")
			}
			for _, n := range i.Names {
				b.requireNew(n)
				v := &variable{name: n.Name, process: process, low: low, high: high, initial: min(max(low, 0), high),
					field: b.p.Field(uint64(high - low))}
				b.c.variables[n.Name] = v
				b.s.variables = append(b.s.variables, v)
			}
		case *Output:
			for _, n := range i.Names {
				b.requireNew(n)
				b.c.outputs[n.Name] = true
			}
		}
	}
}

// requireNew fails unless the name is new.
func (b *build) requireNew(n *Name) {
	_, constant := b.constants[n.Name]
	if constant || b.c.variables[n.Name] != nil || b.c.outputs[n.Name] {
		b.fail(n.Pos, source.Short(n.Name)+" has been declared already", "another name", "")
	}
	b.c.names = append(b.c.names, n.Name)
}

func (b *build) initially(items []Item) {
	for _, item := range items {
		i, ok := item.(*InitialValue)
		if !ok {
			continue
		}
		v, value := b.c.variable(i.Var), b.number(i.Value)
		switch {
		case b.set[v]:
			b.fail(i.Var.Pos, v.name+" has an initial value already", "", "leave one of them out")
		case !v.inRange(value):
			b.fail(i.Value.position(), fmt.Sprintf("%d is outside of the range [%d..%d] of %s", value, v.low, v.high,
				source.Short(v.name)), "", "")
		}
		b.set[v], v.initial = true, value
	}
}

func (b *build) process(p instance) {
	if b.processes[p.Name.Name] {
		b.fail(p.Name.Pos, "there is a process "+source.Short(p.Name.Name)+" already", "another name", "")
	}
	b.processes[p.Name.Name] = true
	x := &process{name: p.Name.Name}
	b.s.processes = append(b.s.processes, x)
	builder := &builder{compiler: b.c, process: x, index: int32(len(b.s.processes) - 1), commands: &b.s.commands}
	if p.Body != nil {
		builder.addStructured(p.Body, p.letter)
	} else {
		builder.addLabelled(p.Commands)
	}
	x.field = b.p.Field(uint64(len(x.locations) - 1))
}

// start numbers the initial state.
func (b *build) start() {
	s := b.s
	words := b.p.Words()
	s.numbering, s.scratch = kripke.NewNumbering(words), make(packedState, words)
	initial := make(packedState, words)
	for _, v := range s.variables {
		v.set(initial, v.initial)
	}
	if _, err := s.numbering.Number(initial); err != nil {
		panic(err) // there is no state before it, so numbering cannot fail
	}
}
