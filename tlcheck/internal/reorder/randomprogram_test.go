package reorder

// Random programs that lock, read and write, their runs, and all correct orders of a run: what this
// package decides, and what rules find with it, is compared with this enumeration.

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// Instr is an instruction of a task: Go, Lock, Unlock, RLock, RUnlock, Read and Write, and Close
// and RecvClosed of a channel without sends, which stand for all other synchronisation. Add, Done
// and Wait are those of the only WaitGroup.
type Instr struct {
	Kind op.Kind
	Obj  int // the task, lock, variable or channel
}

// IsAccess reports whether the instruction is an access to memory, which is no operation.
func (i Instr) IsAccess() bool { return i.Kind == op.Read || i.Kind == op.Write }

// Program has the instructions of each task. The first task starts all others.
type Program [][]Instr

// String returns a line for each task.
func (p Program) String() string {
	var b strings.Builder
	for t, code := range p {
		fmt.Fprintf(&b, "task %d:", t)
		for _, i := range code {
			fmt.Fprintf(&b, " %v(%d)", i.Kind, i.Obj)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// How many there are of each.
const (
	locks     = 2
	variables = 3
	channels  = 2
)

// DrawProgram draws a program. Some sections never end, and another task ends some.
func DrawProgram(t *rapid.T) Program {
	p := make(Program, rapid.IntRange(3, 4).Draw(t, "tasks"))
	for i := range p {
		if rapid.Bool().Draw(t, "neat") {
			p[i] = drawSections(t, 2)
		} else {
			p[i] = drawTask(t)
		}
	}
	for c := range channels {
		at := rapid.IntRange(0, len(p)-1).Draw(t, "closes")
		p[at] = insert(t, p[at], Instr{op.Close, c})
	}
	if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
		at := rapid.IntRange(0, len(p)-1).Draw(t, "unlocks")
		p[at] = insert(t, p[at], Instr{op.Unlock, 0})
	}
	var first []Instr
	for i := range p[1:] {
		first = append(first, Instr{op.Go, i + 1})
	}
	p[0] = append(first, p[0]...)
	return p
}

// WithSends inserts sends into a program, on buffers that are never full.
func (p Program) WithSends(t *rapid.T) Program {
	for range rapid.IntRange(1, 3).Draw(t, "sends") {
		at := rapid.IntRange(1, len(p)-1).Draw(t, "sends in")
		p[at] = insert(t, p[at], Instr{op.Send, rapid.IntRange(0, channels-1).Draw(t, "channel")})
	}
	return p
}

// WithGroup inserts operations on a WaitGroup into a program.
func (p Program) WithGroup(t *rapid.T) Program {
	kinds := []op.Kind{op.Add, op.Add, op.Done, op.Done, op.Wait}
	for range rapid.IntRange(2, 6).Draw(t, "uses") {
		at := rapid.IntRange(0, len(p)-1).Draw(t, "uses in")
		p[at] = insert(t, p[at], Instr{Kind: rapid.SampledFrom(kinds).Draw(t, "use")})
	}
	return p
}

func insert(t *rapid.T, code []Instr, i Instr) []Instr {
	return slices.Insert(code, rapid.IntRange(0, len(code)).Draw(t, "at"), i)
}

func drawTask(t *rapid.T) []Instr {
	kinds := []op.Kind{op.Lock, op.Lock, op.RLock, op.Unlock, op.Unlock, op.Read, op.Read, op.Write, op.Write,
		op.RecvClosed}
	ends := map[op.Kind]op.Kind{op.Lock: op.Unlock, op.RLock: op.RUnlock}
	var code, held []Instr
	for range rapid.IntRange(1, 7).Draw(t, "length") {
		i := Instr{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		switch i.Kind {
		case op.Lock, op.RLock:
			i.Obj = rapid.IntRange(0, locks-1).Draw(t, "lock")
			held = append(held, i)
		case op.Unlock:
			if len(held) == 0 {
				continue
			}
			n := rapid.IntRange(0, len(held)-1).Draw(t, "which")
			i = Instr{ends[held[n].Kind], held[n].Obj}
			held = slices.Delete(held, n, n+1) // ending one removes it from the list
		case op.RecvClosed:
			i.Obj = rapid.IntRange(0, channels-1).Draw(t, "channel")
		default:
			i.Obj = rapid.IntRange(0, variables-1).Draw(t, "variable")
		}
		code = append(code, i)
	}
	return code
}

// drawSections draws the code of a task that leaves all sections it enters.
func drawSections(t *rapid.T, depth int) []Instr {
	var code []Instr
	for range rapid.IntRange(1, 2).Draw(t, "parts") {
		lock := rapid.IntRange(0, locks-1).Draw(t, "lock")
		switch rapid.IntRange(0, min(5, max(1, 3*depth))).Draw(t, "part") {
		case 0:
			code = append(code, Instr{op.Read, rapid.IntRange(0, variables-1).Draw(t, "variable")})
		case 1:
			code = append(code, Instr{op.Write, rapid.IntRange(0, variables-1).Draw(t, "variable")})
		case 2:
			code = append(code, Instr{op.RLock, lock})
			code = append(append(code, drawSections(t, depth-1)...), Instr{op.RUnlock, lock})
		default:
			code = append(code, Instr{op.Lock, lock})
			code = append(append(code, drawSections(t, depth-1)...), Instr{op.Unlock, lock})
		}
	}
	return code
}
