package program

// streams has goroutines write bytes to a pipe or connection, and others read them.
func (g *generator) streams() {
	s := g.object(Object{Kind: Stream, N: g.IntN(streamKinds)})
	from := g.task()
	writes := 1 + g.IntN(MostBytes)
	for range writes {
		write := []*Stmt{{Op: StreamWrite, Object: s, Value: g.next()}}
		if g.oneIn(2) {
			write = g.mark(write, Const(0))
		}
		if g.oneIn(4) {
			g.add(g.task(), write...)
		} else {
			g.add(from, write...)
		}
	}
	for range 1 + g.IntN(writes+1) {
		g.add(g.other(from), &Stmt{Op: StreamRead, Object: s, Dst: g.dst(), N: 1 + g.IntN(2)})
	}
	g.add(from, &Stmt{Op: StreamClose, Object: s}) // or a reader could wait for ever
}
