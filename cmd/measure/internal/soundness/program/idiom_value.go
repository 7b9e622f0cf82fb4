package program

// context has goroutines end a context, wait for its end and ask for it. It may have a child and a
// function.
func (g *generator) context() {
	ctx := g.object(Object{Kind: Context, N: g.IntN(4) / 3})
	asked := ctx
	if g.oneIn(2) {
		asked = g.object(Object{Kind: Context, Of: ctx + 1})
	}
	at := g.task()
	g.add(at, &Stmt{Op: Cancel, Object: ctx})
	if g.oneIn(4) {
		g.add(g.task(), &Stmt{Op: Cancel, Object: asked})
	}
	for range 1 + g.IntN(2) {
		switch who := g.other(at); g.IntN(3) {
		case 0:
			g.add(who, g.mark([]*Stmt{{Op: Recv, Object: asked}}, Const(0))...)
		case 1:
			g.add(who, &Stmt{Op: Err, Object: asked, Dst: g.dst()})
		case 2:
			done := Case{Object: asked, Body: g.mark(nil, Const(1))}
			g.add(who, &Stmt{Op: Select, Cases: []Case{done}, Default: true, Else: g.mark(nil, Const(0))})
		}
	}
	if g.oneIn(2) {
		f := g.object(Object{Kind: ContextFunc, Of: asked})
		g.begin = append(g.begin, &Stmt{Op: AfterFunc, Object: f, Body: g.mark(nil, Const(0))})
		g.add(g.task(), &Stmt{Op: Stop, Object: f, Dst: g.dst()})
	}
}

func (g *generator) syncMap() {
	m := g.object(Object{Kind: Map})
	for range 3 + g.IntN(2) {
		s := &Stmt{Object: m, N: g.IntN(4) / 3, Dst: g.dst()}
		switch g.IntN(9) {
		case 0, 1:
			s.Op = MapLoad
		case 2, 3:
			s.Op, s.Value, s.Dst = MapStore, Const(g.IntN(3)), NoVar
		case 4:
			s.Op, s.Value = MapLoadOrStore, Const(g.IntN(3))
		case 5:
			s.Op = MapLoadAndDelete
		case 6:
			s.Op, s.Value = MapSwap, Const(g.IntN(3))
		case 7:
			s.Op, s.Old, s.Value = MapCompareAndSwap, g.IntN(3), Const(g.IntN(3))
		case 8:
			s.Op = MapRange
		}
		g.add(g.task(), s)
	}
}

func (g *generator) atomics() {
	n := g.object(Object{Kind: Atomic})
	for range 3 + g.IntN(2) {
		switch g.IntN(3) {
		case 0:
			g.add(g.task(), &Stmt{Op: Load, Object: n, Dst: g.dst()})
		case 1:
			g.add(g.task(), &Stmt{Op: Store, Object: n, Value: Const(g.IntN(3))})
		case 2:
			g.add(g.task(), &Stmt{Op: Inc, Object: n, N: 1, Dst: g.dst()})
		}
	}
}

// compareAndSwap has goroutines act on whether they came first.
func (g *generator) compareAndSwap() {
	n := g.object(Object{Kind: Atomic})
	for range 2 + g.IntN(2) {
		s := &Stmt{Op: CompareAndSwap, Object: n, Old: g.IntN(2), Value: Const(g.IntN(3)), Dst: g.dst()}
		switch g.IntN(5) {
		case 0:
			s = &Stmt{Op: Swap, Object: n, Value: Const(g.IntN(3)), Dst: g.dst()}
		case 1:
			s = &Stmt{Op: Load, Object: n, Dst: g.dst()}
		}
		g.add(g.task(), s)
	}
}

func (g *generator) pool() {
	p := g.object(Object{Kind: Pool})
	for i := range 1 + g.IntN(3) {
		g.add(g.task(), &Stmt{Op: Put, Object: p, Value: Const(1 + i)})
		g.add(g.task(), &Stmt{Op: Get, Object: p, Dst: g.dst()})
	}
}
