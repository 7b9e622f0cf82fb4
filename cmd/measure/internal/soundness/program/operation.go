package program

// operation prints a statement that is one operation on an object of that name.
func (w *printer) operation(s *Stmt, name string) {
	flag := func(format string, args ...any) { // of an operation that returns a boolean
		if w.assignment(s.Dst, "=") != "" {
			format = "number(" + format + ")"
		}
		w.result(s.Dst, format, args...)
	}
	found := func(format string, args ...any) { // of one of a sync.Map
		if w.assignment(s.Dst, "=") != "" {
			format = "found(" + format + ")"
		}
		w.result(s.Dst, format, args...)
	}
	switch s.Op {
	case Send:
		w.line("%s <- %s", name, s.Value)
	case SendRecovered:
		w.sendRecovered(s, name)
	case Put:
		w.line("%s.Put(%s)", name, s.Value)
	case Get:
		if w.assignment(s.Dst, "=") == "" {
			w.line("%s.Get()", name)
		} else {
			w.line("%s = pooled(%s.Get())", s.Dst, name)
		}
	case Recv:
		w.line("%s<-%s", w.assignment(s.Dst, "="), w.source(s.Object))
	case Close:
		w.line("close(%s)", name)
	case Len:
		w.line("%s = len(%s)", s.Dst.known(w), name)
	case Lock, Unlock, RLock, RUnlock, Done, Wait, Signal, Broadcast:
		w.line("%s.%s()", name, methods[s.Op])
	case TryLock, TryRLock:
		flag("%s.%s()", name, methods[s.Op])
	case Add:
		w.line("%s.Add(%d)", name, s.N)
	case MapLoad:
		found("%s.Load(%d)", name, s.N)
	case MapStore:
		w.line("%s.Store(%d, %s)", name, s.N, s.Value)
	case MapLoadOrStore:
		if w.assignment(s.Dst, "=") == "" {
			w.line("%s.LoadOrStore(%d, %s)", name, s.N, s.Value)
		} else {
			w.line("%s = number(second(%s.LoadOrStore(%d, %s)))", s.Dst, name, s.N, s.Value)
		}
	case MapLoadAndDelete:
		found("%s.LoadAndDelete(%d)", name, s.N)
	case MapSwap:
		found("%s.Swap(%d, %s)", name, s.N, s.Value)
	case MapCompareAndSwap:
		flag("%s.CompareAndSwap(%d, %d, %s)", name, s.N, s.Old, s.Value)
	case MapRange:
		w.result(s.Dst, "sum(&%s)", name)
	case Load:
		w.line("%s = int(%s.Load())", s.Dst.known(w), name)
	case Store:
		w.line("%s.Store(int32(%s))", name, s.Value)
	case Inc:
		w.line("%s = int(%s.Add(%d))", s.Dst.known(w), name, s.N)
	case Swap:
		w.line("%s = int(%s.Swap(int32(%s)))", s.Dst.known(w), name, s.Value)
	case CompareAndSwap:
		flag("%s.CompareAndSwap(%d, int32(%s))", name, s.Old, s.Value)
	case Read:
		w.line("%s = %s", s.Dst.known(w), name)
	case Write:
		w.line("%s = %s", name, s.Value)
	case Stop:
		if w.p.Objects[s.Object].Kind == ContextFunc {
			flag("%s()", name)
		} else {
			flag("%s.Stop()", name)
		}
	case Reset:
		flag("%s.Reset(%s)", name, duration(s.N))
	case Cancel:
		w.line("cancel%d()", s.Object)
	case Err:
		if w.assignment(s.Dst, "=") == "" {
			w.line("_ = %s.Err()", name)
		} else {
			w.line("%s = number(%s.Err() != nil)", s.Dst, name)
		}
	case StreamWrite:
		w.line("%sw.Write([]byte{%s})", name, s.Value)
	case StreamRead:
		w.result(s.Dst, "read(%s, %d)", name, s.N)
	case StreamClose:
		w.line("%sw.Close()", name)
	default:
		panic("no operation")
	}
}

// sendRecovered prints a send that goes on if the channel is closed.
func (w *printer) sendRecovered(s *Stmt, name string) {
	dst := s.Dst.known(w)
	if dst != NoVar {
		w.line("%s = 0", dst)
	}
	w.line("func() {")
	w.depth++
	w.line("defer func() { recover() }()")
	w.lines[w.at+1] = s
	w.line("%s <- %s", name, s.Value)
	if dst != NoVar {
		w.line("%s = 1", dst)
	}
	w.depth--
	w.line("}()")
}

// known is the variable, or the blank one if the goroutine does not read it.
func (v Var) known(w *printer) Var {
	if w.read[v] {
		return v
	}
	return NoVar
}

var methods = map[Op]string{
	Lock: "Lock", Unlock: "Unlock", TryLock: "TryLock", RLock: "RLock", RUnlock: "RUnlock", TryRLock: "TryRLock",
	Done: "Done", Wait: "Wait", Signal: "Signal", Broadcast: "Broadcast",
}
