package program

// waitGroup has goroutines wait until others have come so far, sometimes twice.
func (g *generator) waitGroup() {
	wg := g.object(Object{Kind: WaitGroup})
	n := 1 + g.IntN(2)
	g.begin = append(g.begin, &Stmt{Op: Add, Object: wg, N: n})
	waiter := g.task()
	for range n {
		g.add(g.other(waiter), g.mark(nil, Const(0))...)
		g.add(g.other(waiter), &Stmt{Op: Done, Object: wg})
	}
	part := g.mark([]*Stmt{{Op: Wait, Object: wg}}, Const(0))
	if g.oneIn(2) { // once more
		body := g.mark(nil, Const(0))
		part = append(part, &Stmt{Op: Go, Object: wg, Body: body}, &Stmt{Op: Wait, Object: wg})
	}
	g.add(waiter, part...)
	switch {
	case g.oneIn(4):
		g.add(g.other(waiter), g.mark([]*Stmt{{Op: Wait, Object: wg}}, Const(0))...)
	case g.oneIn(8):
		g.add(g.task(), &Stmt{Op: Done, Object: wg})
	case g.oneIn(8):
		g.add(g.other(waiter), &Stmt{Op: Add, Object: wg, N: 1}, &Stmt{Op: Done, Object: wg})
	}
}

func (g *generator) once() {
	o, n := g.object(Object{Kind: Once}), g.object(Object{Kind: Atomic})
	for range 2 + g.IntN(2) {
		body := []*Stmt{{Op: Store, Object: n, Value: g.next()}}
		g.add(g.task(), &Stmt{Op: Do, Object: o, Body: body}, &Stmt{Op: Load, Object: n, Dst: g.dst()})
	}
}

// cond has goroutines wait until a variable is set.
func (g *generator) cond() {
	m := g.object(Object{Kind: Mutex})
	x := g.object(Object{Kind: Shared, Of: m})
	c := g.object(Object{Kind: Cond, Of: m})
	from := g.task()
	waiters := 1 + g.IntN(2)
	for range waiters {
		part := []*Stmt{{Op: Lock, Object: m}, {Op: CondWait, Object: c, N: x, Value: Const(0)}, {Op: Read, Object: x, Dst: g.dst()}}
		if g.oneIn(3) {
			part = append(part, &Stmt{Op: Write, Object: x, Value: Const(0)})
			waiters = 1
		}
		g.add(g.other(from), append(g.mark(part, Const(0)), &Stmt{Op: Unlock, Object: m})...)
	}
	for range 1 + g.IntN(2) {
		wake := &Stmt{Op: Broadcast, Object: c}
		if waiters == 1 || g.oneIn(4) {
			wake.Op = Signal
		}
		part := []*Stmt{{Op: Lock, Object: m}, {Op: Write, Object: x, Value: g.next()}}
		if g.oneIn(3) {
			part = append(part, &Stmt{Op: Unlock, Object: m}, wake)
		} else {
			part = append(part, wake, &Stmt{Op: Unlock, Object: m})
		}
		g.add(from, part...)
	}
}

// timer has goroutines receive from a timer, stop it and set it again.
func (g *generator) timer() {
	t := g.object(Object{Kind: Timer, N: g.IntN(2)})
	over := g.object(Object{Kind: Chan, N: 1})
	body := g.mark(nil, Const(1))
	wait := &Stmt{Op: Select, Cases: []Case{{Object: t, Body: body}, {Object: over, Body: g.mark(nil, Const(2))}}}
	if g.oneIn(3) {
		wait.Cases = wait.Cases[:1]
		wait.Default, wait.Else = true, g.mark(nil, Const(0))
	}
	at := g.task()
	g.add(at, wait)
	for range 1 + g.IntN(2) {
		if g.oneIn(2) {
			g.add(g.task(), &Stmt{Op: Stop, Object: t, Dst: g.dst()})
		} else {
			g.add(g.task(), &Stmt{Op: Reset, Object: t, Dst: g.dst(), N: g.IntN(2)})
		}
	}
	g.add(g.other(at), &Stmt{Op: Send, Object: over, Value: Const(1)}) // or it could wait for ever
}

// afterFunc has a timer start a function, which others may keep from it.
func (g *generator) afterFunc() {
	t := g.object(Object{Kind: Func})
	n := g.object(Object{Kind: Atomic})
	body := g.mark(nil, Const(0))
	body = g.mark(append(body, &Stmt{Op: Store, Object: n, Value: g.next()}), Const(1))
	soon := g.IntN(2)
	g.begin = append(g.begin, &Stmt{Op: AfterFunc, Object: t, N: soon, Body: body})
	for range 1 + g.IntN(2) {
		if soon == 1 || g.oneIn(2) {
			g.add(g.task(), &Stmt{Op: Stop, Object: t, Dst: g.dst()})
		} else {
			g.add(g.task(), &Stmt{Op: Reset, Object: t, Dst: g.dst(), N: g.IntN(2)})
		}
	}
	g.add(g.task(), &Stmt{Op: Load, Object: n, Dst: g.dst()})
}
