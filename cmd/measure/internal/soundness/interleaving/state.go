package interleaving

import (
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// state is where all goroutines are and what all objects are like: bytes at the places of a layout.
type state []byte

// phase says what a goroutine does at its instruction.
type phase = byte

const (
	absent   phase = iota // not started
	running               // about to execute its instruction
	pending               // a writer that keeps new readers out and waits for those that are there
	reader                // a reader that waits for the writer
	waiting               // for a WaitGroup
	released              // by a WaitGroup
	releases              // those that wait for a WaitGroup, whose counter it has brought to zero
	ticket                // in Cond.Wait, still with the lock
	called                // the same, after a Signal
	parked                // in Cond.Wait, without the lock
	woken                 // wants the lock again
	cancels               // ends the children of a context
	ranging               // in sync.Map.Range; the extra byte says which keys were visited
)

// Bytes of a goroutine.
const (
	pc = iota
	ph
	varA // and varA+1
	varB
	mark      // the place that it is in, plus 1
	markValue // with this value
	extra
	extraSum
	taskBytes
)

// Bytes of objects; all others have one.
const (
	closed, length, items = 0, 1, 2 // Chan, Stream
	writer, readers       = 0, 1    // RWMutex: writer is free, pending or held
	ended, spreading      = 0, 1    // Context: spreading while its children are being ended
)

// What the writer's byte of an RWMutex says.
const (
	noWriter = iota
	writerPending
	writerHolds
)

// What the byte of a Timer, Func or ContextFunc says.
const (
	unmade = iota // or, of a Timer, stopped
	armedSoon
	armedNever // of a ContextFunc: armed
	spent      // of a Timer: its time can be received
)

// machine executes a program.
type machine struct {
	*code
	offset []int // of each object in a state
	size   int

	steps    []step
	failures map[Failure]bool
	bad      error // why the program cannot be explored
}

// step leads to a state.
type step struct {
	to     state
	movers uint64 // goroutines that did something, a bit for each
}

func newMachine(c *code) *machine {
	m := &machine{code: c, failures: make(map[Failure]bool)}
	m.size = len(c.tasks) * taskBytes
	for _, o := range c.p.Objects {
		m.offset = append(m.offset, m.size)
		switch o.Kind {
		case program.Chan:
			m.size += items + o.N
		case program.Stream:
			m.size += items + program.MostBytes
		case program.RWMutex, program.Context, program.Map:
			m.size += 2
		default:
			m.size++
		}
	}
	return m
}

// initial is the state in which the objects are made and main begins.
func (m *machine) initial() state {
	s := make(state, m.size)
	for i, o := range m.p.Objects {
		if o.Kind == program.Timer {
			*m.at(s, i, 0) = armed(o.N)
		}
	}
	for t, started := range m.started {
		if started {
			m.start(s, t)
		}
	}
	return s
}

func armed(soon int) byte {
	if soon == 1 {
		return armedSoon
	}
	return armedNever
}

// at is a byte of an object.
func (m *machine) at(s state, object, i int) *byte { return &s[m.offset[object]+i] }

// of is a byte of a goroutine.
func of(s state, task, i int) *byte { return &s[task*taskBytes+i] }

// value evaluates a value in a goroutine.
func value(s state, task int, v program.Value) byte {
	if v.Var == program.NoVar {
		return byte(int8(v.N))
	}
	return *of(s, task, varA+int(v.Var)-1)
}

// set assigns to a variable of a goroutine.
func set(s state, task int, dst program.Var, v byte) {
	if dst != program.NoVar {
		*of(s, task, varA+int(dst)-1) = v
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// start starts a goroutine.
func (m *machine) start(s state, task int) {
	*of(s, task, ph) = running
	m.settle(s, task)
}

// moveOn goes to an instruction, out of the place that the goroutine was in.
func (m *machine) moveOn(s state, task, target int) {
	*of(s, task, pc) = byte(target)
	*of(s, task, ph) = running
	*of(s, task, mark), *of(s, task, markValue) = 0, 0
	*of(s, task, extra), *of(s, task, extraSum) = 0, 0
	m.settle(s, task)
}

// settle executes what concerns nobody else, up to the next operation on an object or the second
// place. Variables that are guarded by a lock are among that.
func (m *machine) settle(s state, task int) {
	for {
		in := &m.tasks[task][*of(s, task, pc)]
		next := in.next
		switch in.op {
		case jump:
		case program.If:
			if value(s, task, in.s.Value) != byte(int8(in.s.N)) {
				next = in.els
			}
		case program.Mark:
			if *of(s, task, mark) != 0 {
				m.forget(s, task, in)
				return
			}
			*of(s, task, mark), *of(s, task, markValue) = byte(in.s.N+1), value(s, task, in.s.Value)
		case condTest:
			if m.shared(s, in.s.N) != value(s, task, in.s.Value) {
				next = in.els
			}
		case program.Read:
			set(s, task, in.s.Dst, m.shared(s, in.s.Object))
		case program.Write:
			m.shared(s, in.s.Object)
			*m.at(s, in.s.Object, 0) = value(s, task, in.s.Value)
		default:
			m.forget(s, task, in)
			return
		}
		*of(s, task, pc) = byte(next)
	}
}

// shared is the value of a variable, for which its lock must be held.
func (m *machine) shared(s state, object int) byte {
	lock := m.p.Objects[object].Of
	shared := m.p.Objects[lock].Kind == program.RWMutex && *m.at(s, lock, readers) != 0
	if *m.at(s, lock, 0) == 0 && !shared {
		m.refuse("a variable is used without its lock")
	}
	return *m.at(s, object, 0)
}

// forget clears the variables that nobody reads any more.
func (m *machine) forget(s state, task int, in *instr) {
	for _, v := range []program.Var{program.A, program.B} {
		if !in.live[v] {
			set(s, task, v, 0)
		}
	}
}
