package program

// section is a critical section that reads or changes a variable.
func (g *generator) section(lock, unlock Op, m, x int) []*Stmt {
	part := []*Stmt{{Op: lock, Object: m}}
	switch {
	case x < 0:
	case lock == Lock && g.oneIn(2):
		part = append(part, &Stmt{Op: Write, Object: x, Value: g.next()})
	default:
		part = append(part, &Stmt{Op: Read, Object: x, Dst: g.dst()})
	}
	part = g.mark(part, Const(0))
	return append(part, &Stmt{Op: unlock, Object: m})
}

// locked makes a lock and, mostly, a variable that it guards.
func (g *generator) locked(kind Kind) (m, x int) {
	m, x = g.object(Object{Kind: kind}), -1
	if !g.oneIn(3) {
		x = g.object(Object{Kind: Shared, Of: m})
	}
	return m, x
}

func (g *generator) mutex() {
	m, x := g.locked(Mutex)
	for range 2 + g.IntN(2) {
		g.add(g.task(), g.section(Lock, Unlock, m, x)...)
	}
	if g.oneIn(4) { // the other way round somewhere: a deadlock that may happen
		n, _ := g.locked(Mutex)
		inner := g.section(Lock, Unlock, n, -1)
		g.add(g.task(), append(append([]*Stmt{{Op: Lock, Object: m}}, inner...), &Stmt{Op: Unlock, Object: m})...)
		inner = g.section(Lock, Unlock, m, -1)
		g.add(g.task(), append(append([]*Stmt{{Op: Lock, Object: n}}, inner...), &Stmt{Op: Unlock, Object: n})...)
	}
}

// attempt is a section that is left out if the lock cannot be had.
func (g *generator) attempt(try, unlock Op, m, x int) []*Stmt {
	lock := Lock
	if try == TryRLock {
		lock = RLock
	}
	dst := g.dst()
	body := g.section(lock, unlock, m, x)[1:]
	return []*Stmt{{Op: try, Object: m, Dst: dst}, {Op: If, Value: Value{Var: dst}, N: 1, Body: body, Else: g.mark(nil, Const(0))}}
}

// library has goroutines use a few locks of the standard library again and again, in marked places
// and between them, and locks of their own.
func (g *generator) library() {
	for range 1 + g.IntN(2) {
		g.calls = append(g.calls, g.IntN(LibraryCalls))
	}
	m, x := g.locked(Mutex)
	for range 1 + g.IntN(2) {
		g.add(g.task(), g.section(Lock, Unlock, m, x)...)
	}
	for range 2 + g.IntN(3) {
		g.add(g.task(), g.mark([]*Stmt{{Op: Library, N: g.call()}}, Const(0))...)
	}
}

// call is a call of the library that the program makes.
func (g *generator) call() int { return g.calls[g.IntN(len(g.calls))] }

func (g *generator) tryLock() {
	m, x := g.locked(Mutex)
	for range 1 + g.IntN(2) {
		g.add(g.task(), g.section(Lock, Unlock, m, x)...)
	}
	for range 1 + g.IntN(2) {
		g.add(g.task(), g.attempt(TryLock, Unlock, m, x)...)
	}
}

func (g *generator) rwMutex() {
	m, x := g.locked(RWMutex)
	g.add(g.task(), g.section(Lock, Unlock, m, x)...)
	for range 1 + g.IntN(3) {
		if g.oneIn(3) {
			g.add(g.task(), g.section(Lock, Unlock, m, x)...)
		} else {
			g.add(g.task(), g.section(RLock, RUnlock, m, x)...)
		}
	}
}

func (g *generator) tryRWLock() {
	m, x := g.locked(RWMutex)
	g.add(g.task(), g.section(Lock, Unlock, m, x)...)
	if g.oneIn(2) {
		g.add(g.task(), g.section(RLock, RUnlock, m, x)...)
	}
	g.add(g.task(), g.attempt(TryRLock, RUnlock, m, x)...)
	if g.oneIn(2) {
		g.add(g.task(), g.attempt(TryLock, Unlock, m, x)...)
	}
}

// handover has one goroutine lock and another one unlock.
func (g *generator) handover() {
	kind, lock, unlock := Mutex, Lock, Unlock
	if g.oneIn(2) {
		kind = RWMutex
		if g.oneIn(2) {
			lock, unlock = RLock, RUnlock
		}
	}
	m, c := g.object(Object{Kind: kind}), g.object(Object{Kind: Chan, N: g.IntN(2)})
	from := g.task()
	part := g.mark([]*Stmt{{Op: lock, Object: m}}, Const(0))
	g.add(from, append(part, &Stmt{Op: Send, Object: c, Value: g.next()})...)
	part = []*Stmt{{Op: Recv, Object: c, Dst: g.dst()}}
	if g.oneIn(8) {
		part = nil // and possibly too early
	}
	g.add(g.other(from), append(g.mark(part, Const(0)), &Stmt{Op: unlock, Object: m})...)
	switch {
	case g.oneIn(2):
		g.add(g.task(), g.section(Lock, Unlock, m, -1)...)
	case kind == Mutex || g.oneIn(2):
		g.add(g.task(), g.attempt(TryLock, Unlock, m, -1)...)
	default:
		g.add(g.task(), g.attempt(TryRLock, RUnlock, m, -1)...)
	}
}
