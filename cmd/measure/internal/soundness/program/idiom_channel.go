package program

// messages sends values over a channel, from goroutines to others.
func (g *generator) messages(c, n int) {
	from := g.task()
	for range n {
		if g.oneIn(2) {
			from = g.task()
		}
		g.add(from, &Stmt{Op: Send, Object: c, Value: g.next()})
		g.add(g.other(from), &Stmt{Op: Recv, Object: c, Dst: g.dst()})
	}
}

func (g *generator) unbuffered() { g.messages(g.object(Object{Kind: Chan}), 1+g.IntN(2)) }

func (g *generator) buffered() {
	g.messages(g.object(Object{Kind: Chan, N: 1 + g.IntN(3)}), 1+g.IntN(3))
}

// tokens puts an element into a channel with room for one before the goroutines start, or has one
// of them do so. Whoever receives it is in a section until he sends it again, mostly the same one.
func (g *generator) tokens() {
	c, value := g.object(Object{Kind: Chan, N: 1}), g.next()
	put := &Stmt{Op: Send, Object: c, Value: value}
	if g.oneIn(4) {
		g.add(g.task(), put)
	} else {
		g.begin = append(g.begin, put)
	}
	for range 2 + g.IntN(3) {
		dst, back := g.dst(), value
		if g.oneIn(8) {
			back = g.next()
		}
		part := []*Stmt{{Op: Recv, Object: c, Dst: dst}}
		if g.oneIn(2) {
			part = g.mark(part, Value{Var: dst})
		}
		part = append(part, &Stmt{Op: Send, Object: c, Value: back})
		if g.oneIn(8) { // who puts it back is another one
			g.add(g.task(), part[:len(part)-1]...)
			part = part[len(part)-1:]
		}
		g.add(g.task(), part...)
	}
}

// closing sends some values and closes the channel, while others receive more than that.
func (g *generator) closing() {
	c := g.object(Object{Kind: Chan, N: g.IntN(3)})
	owner := g.task()
	var part []*Stmt
	for range g.IntN(3) {
		part = append(part, &Stmt{Op: Send, Object: c, Value: g.next()})
	}
	g.add(owner, append(part, &Stmt{Op: Close, Object: c})...)
	for range len(part) + g.IntN(2) {
		g.add(g.other(owner), &Stmt{Op: Recv, Object: c, Dst: g.dst()})
	}
	switch {
	case g.oneIn(12):
		g.add(g.other(owner), &Stmt{Op: Close, Object: c})
	case g.oneIn(12):
		g.add(g.other(owner), &Stmt{Op: Send, Object: c, Value: g.next()})
	}
}

// lengths looks at how many elements a channel has.
func (g *generator) lengths() {
	c := g.object(Object{Kind: Chan, N: 2})
	g.messages(c, 1+g.IntN(2))
	g.add(g.task(), &Stmt{Op: Len, Object: c, Dst: g.dst()})
}

// choice is a case that receives or sends.
func (g *generator) choice(c int, send bool) Case {
	if send {
		return Case{Send: true, Object: c, Value: g.next(), Body: g.mark(nil, Const(0))}
	}
	dst := g.dst()
	return Case{Object: c, Dst: dst, Body: g.mark(nil, Value{Var: dst})}
}

// selecting has a goroutine take one of two or three cases. What is left in buffers stays there.
func (g *generator) selecting() {
	s := &Stmt{Op: Select, Reflect: g.reflect}
	at := g.task()
	for range 2 + g.IntN(2) {
		c := g.object(Object{Kind: Chan, N: g.IntN(3)})
		send := g.oneIn(3)
		s.Cases = append(s.Cases, g.choice(c, send))
		op := Send
		if send {
			op = Recv
		}
		partner := &Stmt{Op: op, Object: c, Value: Const(0)}
		if op == Send {
			partner.Value = g.next()
		} else {
			partner.Dst = g.dst()
		}
		if g.objects[c].N == 0 { // or it could wait for ever
			partner = g.polled(partner)
		}
		g.add(g.other(at), partner)
		if g.oneIn(8) {
			g.add(g.task(), &Stmt{Op: Close, Object: c})
		}
	}
	g.add(at, s)
}

// polled makes an operation on a channel one that does not wait.
func (g *generator) polled(s *Stmt) *Stmt {
	c := Case{Send: s.Op == Send, Object: s.Object, Value: s.Value, Dst: s.Dst}
	return &Stmt{Op: Select, Cases: []Case{c}, Default: true, Reflect: g.reflect}
}

// polling has goroutines try to send and receive.
func (g *generator) polling() {
	c := g.object(Object{Kind: Chan, N: g.IntN(3)})
	from := g.task()
	for range 1 + g.IntN(2) {
		send := &Stmt{Op: Send, Object: c, Value: g.next()}
		receive := &Stmt{Op: Recv, Object: c, Dst: g.dst()}
		if g.oneIn(3) {
			g.add(from, g.tries(send)...)
		} else {
			g.add(from, send)
		}
		if g.objects[c].N > 0 || !g.oneIn(3) {
			g.add(g.other(from), g.tries(receive)...)
		} else {
			g.add(g.other(from), receive)
		}
	}
	for range g.IntN(3) { // others who find it empty or full
		if g.oneIn(3) {
			g.add(g.task(), g.tries(&Stmt{Op: Send, Object: c, Value: g.next()})...)
		} else {
			g.add(g.task(), g.tries(&Stmt{Op: Recv, Object: c, Dst: g.dst()})...)
		}
	}
}

// tries polls a channel and says whether that has worked.
func (g *generator) tries(op *Stmt) []*Stmt {
	s := g.polled(op)
	v := Const(1)
	if op.Op == Recv {
		v = Value{Var: op.Dst}
	}
	s.Cases[0].Body = g.mark(nil, v)
	s.Else = g.mark(nil, Const(0))
	return []*Stmt{s}
}

// reflecting selects by package reflect.
func (g *generator) reflecting() {
	g.reflect = true
	if g.oneIn(2) {
		g.selecting()
	} else {
		g.polling()
	}
	g.reflect = false
}

// recovering closes a channel to which others try to send.
func (g *generator) recovering() {
	c := g.object(Object{Kind: Chan, N: g.IntN(3)})
	owner := g.task()
	g.add(owner, &Stmt{Op: Close, Object: c})
	for range 1 + g.IntN(2) {
		g.add(g.other(owner), &Stmt{Op: SendRecovered, Object: c, Value: g.next(), Dst: g.dst()})
	}
	if g.oneIn(2) {
		g.add(g.task(), &Stmt{Op: Recv, Object: c, Dst: g.dst()})
	}
}
