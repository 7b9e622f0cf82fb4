package gcl

func (p *parser) process() *Process {
	x := &Process{Each: p.each()}
	p.expect("process", "behind the range of \"for\"")
	x.Name = p.name("the name of the process")
	x.Variables = p.declarations()
	if next, _ := p.behindName(); next.text == ":" || p.is("for") {
		x.Commands = p.commands()
	} else {
		x.Body = p.statement()
	}
	if !p.accept(".") {
		p.accept(";")
	}
	return x
}

// each reads "for i in low..high" if it is there.
func (p *parser) each() *IndexRange {
	if !p.accept("for") {
		return nil
	}
	e := &IndexRange{Pos: p.tok().pos}
	e.Var = p.word("a variable for the numbers of the range")
	p.expect("in", "and a range, as 1..n")
	e.Low = p.expr()
	p.expect("..", "inside of the range")
	e.High = p.expr()
	return e
}

// commands reads the commands of a process up to "end".
func (p *parser) commands() (cs []*Command) {
	for !p.accept("end") {
		c := &Command{Each: p.each()}
		c.Label = p.name(`a label, or "end" behind the last command`)
		p.expect(":", "behind the label")
		for more := true; more; {
			c.Alternatives = append(c.Alternatives, p.alternative())
			more = p.accept("|") || p.is("if")
		}
		cs = append(cs, c)
	}
	return cs
}

func (p *parser) alternative() *Alternative {
	a := &Alternative{Pos: p.tok().pos}
	if p.accept("if") {
		a.Guard = p.expr()
	}
	switch {
	case p.is("{"):
		a.Steps = p.braces()
		p.accept(";")
	case a.Guard != nil:
		a.Steps = []Step{p.closedStep()}
		if !p.is("if", "|", "end", "for") && !p.atLabel() {
			p.failAt(p.tok().pos, "only the first step would belong to the \"if\"", `a label, "if" or "|"`,
				"put the steps of the \"if\" into braces")
		}
	default:
		for more := true; more; more = p.beginsStep() && !p.atLabel() {
			a.Steps = append(a.Steps, p.closedStep())
		}
	}
	p.gotoLast(a.Steps)
	return a
}

// atLabel reports whether the next tokens are a label.
func (p *parser) atLabel() bool {
	next, _ := p.behindName()
	return next.text == ":"
}

func (p *parser) beginsStep() bool { return p.tok().kind == tokName || p.is("skip", "goto") }

// gotoLast fails if a step follows a goto.
func (p *parser) gotoLast(steps []Step) {
	for i, s := range steps {
		if g, ok := s.(*Goto); ok && i < len(steps)-1 {
			p.failAt(g.Label.Pos, "the steps behind this goto would never be taken", "", "put the goto last")
		}
	}
}

func (p *parser) braces() (steps []Step) {
	p.expect("{", "")
	for more := true; more; more = p.accept(";") && !p.is("}") {
		steps = append(steps, p.step())
	}
	p.expect("}", "behind the steps, or \";\" and another one")
	return steps
}

func (p *parser) closedStep() Step {
	s := p.step()
	p.expect(";", "behind the step")
	return s
}

func (p *parser) step() Step {
	pos := p.tok().pos
	switch {
	case p.accept("skip"):
		return &Skip{pos}
	case p.accept("goto"):
		return &Goto{p.name("a label")}
	}
	v := p.name(`a step: an assignment, an exchange, "skip" or "goto"`)
	switch {
	case p.accept(":="):
		return &Assign{v, p.expr()}
	case p.accept(":=:"):
		return &Exchange{v, p.name("the variable to exchange with")}
	case p.is("="):
		p.failAt(p.tok().pos, `"=" compares`, `":="`, "assignments are written with :=")
	}
	p.unexpected(`":=" or ":=:" behind the variable`)
	return nil
}

func (p *parser) statement() Statement { return nested(p, p.oneStatement) }

func (p *parser) oneStatement() Statement {
	pos := p.tok().pos
	switch {
	case p.accept("begin"):
		return p.block()
	case p.accept("while"):
		w := &While{Cond: p.expr(), Pos: pos}
		p.expect("do", "behind the condition of the loop")
		w.Body = p.statement()
		return w
	case p.accept("if"):
		return p.ifStatement(pos)
	case p.accept("wait"):
		return &Wait{p.expr(), pos}
	case p.is("{"):
		return p.atomic(&Atomic{p.braces(), pos})
	case p.beginsStep():
		return p.atomic(&Atomic{[]Step{p.step()}, pos})
	}
	return &Block{} // an empty statement
}

// block reads the statements up to "end", without empty ones.
func (p *parser) block() *Block {
	b := &Block{}
	for more := true; more; more = p.accept(";") {
		if !p.is(";", "end") {
			b.List = append(b.List, p.statement())
		}
	}
	p.expect("end", "behind the statements, or \";\" and another one")
	return b
}

func (p *parser) ifStatement(pos Pos) Statement {
	i := &If{Cond: p.expr(), Pos: pos}
	p.expect("then", "behind the condition")
	i.Then = p.statement()
	if p.accept("else") {
		i.Else = p.statement()
	}
	return i
}

// atomic fails if a step is a goto.
func (p *parser) atomic(a *Atomic) Statement {
	for _, s := range a.Steps {
		if g, ok := s.(*Goto); ok {
			p.failAt(g.Label.Pos, "structured statements have no labels to go to", "",
				"use while and if, or label all commands of the process")
		}
	}
	return a
}
