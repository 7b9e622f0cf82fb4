// Package gcltest generates random finite-state programs for tests.
package gcltest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// drawer draws programs that compile. Most assigned values are in range.
type drawer struct {
	*rapid.T
	index  bool // inside a process with an index named i
	labels int
}

func (d *drawer) pick(what string, n int) int { return rapid.IntRange(0, n-1).Draw(d.T, what) }

func (d *drawer) variable() *gcl.Name {
	names := []string{"a", "b"}
	if d.index {
		names = append(names, "t")
	}
	n := &gcl.Name{Name: rapid.SampledFrom(names).Draw(d.T, "variable")}
	if n.Name == "t" {
		n.Index = rapid.SampledFrom([]gcl.Expr{
			&gcl.Name{Name: "i"},
			&gcl.Binary{Op: gcl.Add, L: &gcl.Binary{Op: gcl.Mod, L: &gcl.Name{Name: "i"}, R: &gcl.Name{Name: "n"}},
				R: &gcl.Number{Value: 1}},
		}).Draw(d.T, "index")
	}
	return n
}

func (d *drawer) number(depth int) gcl.Expr {
	switch k := d.pick("number", 8); {
	case depth == 0 || k < 2:
		return &gcl.Number{Value: int64(d.pick("value", 4))}
	case k < 4:
		return d.variable()
	case k == 4 && d.index:
		return &gcl.Name{Name: rapid.SampledFrom([]string{"i", "n"}).Draw(d.T, "constant")}
	case k == 5:
		return &gcl.Unary{Op: gcl.Minus, X: d.number(depth - 1)}
	case k == 6:
		op := rapid.SampledFrom([]gcl.Op{gcl.Div, gcl.Mod}).Draw(d.T, "division")
		return &gcl.Binary{Op: op, L: d.number(depth - 1), R: &gcl.Number{Value: int64(d.pick("divisor", 4) + 1)}}
	}
	op := rapid.SampledFrom([]gcl.Op{gcl.Add, gcl.Sub, gcl.Mul}).Draw(d.T, "operator")
	return &gcl.Binary{Op: op, L: d.number(depth - 1), R: d.number(depth - 1)}
}

func (d *drawer) condition(depth int) gcl.Expr {
	switch k := d.pick("condition", 8); {
	case k == 0:
		return &gcl.Bool{Value: rapid.Bool().Draw(d.T, "known")}
	case depth == 0 || k < 5:
		op := rapid.SampledFrom([]gcl.Op{gcl.Equal, gcl.NotEqual, gcl.Less, gcl.LessEqual, gcl.Greater,
			gcl.GreaterEqual}).Draw(d.T, "comparison")
		return &gcl.Binary{Op: op, L: d.number(depth), R: d.number(depth)}
	case k == 5:
		return &gcl.Unary{Op: gcl.Not, X: d.condition(depth - 1)}
	}
	op := rapid.SampledFrom([]gcl.Op{gcl.Or, gcl.And}).Draw(d.T, "connective")
	return &gcl.Binary{Op: op, L: d.condition(depth - 1), R: d.condition(depth - 1)}
}

// step draws a step. Nearly all values are in the range 0..2 of the variables.
func (d *drawer) step() gcl.Step {
	switch d.pick("step", 8) {
	case 0:
		return &gcl.Skip{}
	case 1:
		return &gcl.Exchange{Left: d.variable(), Right: d.variable()}
	case 2:
		return &gcl.Assign{Var: &gcl.Name{Name: "out"}, Value: d.number(1)}
	case 3:
		if rapid.Bool().Draw(d.T, "wild") {
			return &gcl.Assign{Var: d.variable(), Value: d.number(2)}
		}
	}
	return &gcl.Assign{Var: d.variable(), Value: &gcl.Binary{Op: gcl.Mod, L: d.number(2), R: &gcl.Number{Value: 3}}}
}

func (d *drawer) steps() (steps []gcl.Step) {
	for range 1 + d.pick("steps", 6)/4 {
		steps = append(steps, d.step())
	}
	return steps
}

func (d *drawer) statement(depth int) gcl.Statement {
	switch k := d.pick("statement", 8); {
	case depth == 0 || k < 3:
		return &gcl.Atomic{Steps: d.steps()}
	case k == 3:
		return &gcl.Wait{Cond: d.condition(1)}
	case k == 4:
		return &gcl.While{Cond: d.condition(1), Body: d.statement(depth - 1)}
	case k == 5: // an else after it could bind to another if, unless it is in a block
		return &gcl.If{Cond: d.condition(1), Then: d.block(depth - 1)}
	case k == 6:
		return &gcl.If{Cond: d.condition(1), Then: d.block(depth - 1), Else: d.statement(depth - 1)}
	}
	return d.block(depth - 1)
}

func (d *drawer) block(depth int) *gcl.Block {
	b := &gcl.Block{}
	for range d.pick("statements", 4) {
		b.List = append(b.List, d.statement(depth))
	}
	return b
}

// commands draws labels L0, L1, … with at most one repeated command.
func (d *drawer) commands() (cs []*gcl.Command) {
	d.labels = 2 + d.pick("labels", 3)
	for k := range d.labels {
		c := &gcl.Command{Label: &gcl.Name{Name: fmt.Sprint("L", k)}}
		for range 1 + d.pick("alternatives", 3) {
			c.Alternatives = append(c.Alternatives, d.alternative())
		}
		cs = append(cs, c)
	}
	if d.pick("repeated", 3) == 0 {
		c := &gcl.Command{
			Each:  &gcl.IndexRange{Var: "k", Low: &gcl.Number{Value: 1}, High: &gcl.Name{Name: "n"}},
			Label: &gcl.Name{Name: "M", Index: &gcl.Name{Name: "k"}}}
		c.Alternatives = []*gcl.Alternative{d.alternative(), {
			Guard: &gcl.Binary{Op: gcl.Less, L: &gcl.Name{Name: "k"}, R: &gcl.Name{Name: "n"}},
			Steps: []gcl.Step{&gcl.Goto{Label: &gcl.Name{Name: "M",
				Index: &gcl.Binary{Op: gcl.Add, L: &gcl.Name{Name: "k"}, R: &gcl.Number{Value: 1}}}}},
		}}
		cs = append(cs, c)
	}
	return cs
}

func (d *drawer) alternative() *gcl.Alternative {
	a := &gcl.Alternative{Steps: d.steps()}
	if d.pick("guarded", 3) > 0 {
		a.Guard = d.condition(2)
	}
	if d.pick("goto", 3) > 0 {
		a.Steps = append(a.Steps, &gcl.Goto{Label: &gcl.Name{Name: fmt.Sprint("L", d.pick("label", d.labels))}})
	}
	return a
}

func (d *drawer) process(name string) *gcl.Process {
	p := &gcl.Process{Name: &gcl.Name{Name: name}}
	if d.index = name == "P"; d.index {
		i := &gcl.Name{Name: "i"}
		p.Each = &gcl.IndexRange{Var: "i", Low: &gcl.Number{Value: 1}, High: &gcl.Name{Name: "n"}}
		p.Name.Index = i
		t := &gcl.Name{Name: "t", Index: i}
		p.Variables = []gcl.Item{
			&gcl.Declare{Names: []*gcl.Name{t}, Low: &gcl.Number{}, High: &gcl.Number{Value: 2}},
			&gcl.InitialValue{Var: t, Value: &gcl.Binary{Op: gcl.Mod, L: i, R: &gcl.Number{Value: 2}}},
		}
	}
	if rapid.Bool().Draw(d.T, "structured") {
		p.Body = &gcl.Block{List: []gcl.Statement{d.statement(2), d.statement(1), d.statement(3)}}
	} else {
		p.Commands = d.commands()
	}
	return p
}

// File draws a program of up to three processes that compiles.
var File = rapid.Custom(drawFile)

func drawFile(t *rapid.T) *gcl.File {
	d := &drawer{T: t}
	f := &gcl.File{Name: "random.gcl", Items: []gcl.Item{
		&gcl.Param{Name: "n", Value: &gcl.Number{Value: int64(1 + d.pick("n", 2))}},
		&gcl.Declare{Names: []*gcl.Name{{Name: "a"}, {Name: "b"}}, Low: &gcl.Number{}, High: &gcl.Number{Value: 2}},
		&gcl.InitialValue{Var: &gcl.Name{Name: "b"}, Value: &gcl.Number{Value: 1}},
		&gcl.Output{Names: []*gcl.Name{{Name: "out"}}},
	}}
	for _, name := range []string{"P", "Q"}[d.pick("first", 2):] {
		f.Items = append(f.Items, d.process(name))
	}
	return f
}
