package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// Channels of random programs.
const (
	unbuffered = iota
	buffered
	locking // used as a lock, mostly
	closing
)

// randomProgram draws a program. Its tasks leave the sections that they enter, or with orphans not
// always.
func randomProgram(t *rapid.T, kinds []op.Kind, orphans bool) *program {
	n := rapid.IntRange(2, 3).Draw(t, "tasks")
	p := &program{tasks: make([][]instr, n+1), caps: []int{0, rapid.IntRange(1, 2).Draw(t, "capacity"), 1, 0}}
	for i := range p.tasks {
		p.tasks[i] = randomTask(t, kinds, orphans && rapid.Bool().Draw(t, "orphan"))
	}
	if slices.Contains(kinds, op.Once) {
		p.useOnce(t, lockKinds)
	}
	if slices.Contains(kinds, op.Recv) {
		for range rapid.IntRange(0, 3).Draw(t, "exchanges") {
			p.exchange(t)
		}
	}
	for i := 1; i <= n; i++ {
		by := rapid.IntRange(0, i-1).Draw(t, "by")
		at := rapid.IntRange(0, min(3, len(p.tasks[by]))).Draw(t, "at")
		p.tasks[by] = slices.Insert(p.tasks[by], at, instr{op.Go, i})
	}
	return p
}

// exchange inserts operations of different tasks that belong together.
func (p *program) exchange(t *rapid.T) {
	insert := func(task int, i instr) {
		at := rapid.IntRange(0, len(p.tasks[task])).Draw(t, "at")
		p.tasks[task] = slices.Insert(p.tasks[task], at, i)
	}
	a := rapid.IntRange(0, len(p.tasks)-1).Draw(t, "a")
	b := (a + rapid.IntRange(1, len(p.tasks)-1).Draw(t, "b")) % len(p.tasks)
	switch c := rapid.SampledFrom([]int{unbuffered, unbuffered, buffered, buffered, locking, closing, -1, -1}).Draw(t, "channel"); {
	case c < 0:
		insert(a, instr{op.Done, 0})
		insert(b, instr{op.Wait, 0})
		if rapid.Bool().Draw(t, "adds") {
			at := rapid.IntRange(0, len(p.tasks[a])).Draw(t, "at")
			p.tasks[a] = slices.Insert(p.tasks[a], at, instr{op.Add, 0}, instr{op.Done, 0})
		}
	case c == closing:
		for _, code := range p.tasks {
			if slices.Contains(code, instr{op.Close, closing}) {
				a = -1
			}
		}
		if a >= 0 {
			insert(a, instr{op.Close, closing})
		}
		insert(b, instr{op.Recv, closing})
	default:
		insert(a, instr{op.Send, c})
		insert(b, instr{op.Recv, c})
	}
}

// randomTask draws the code of a task, for itself. Send as a kind is a section of a channel.
func randomTask(t *rapid.T, kinds []op.Kind, orphan bool) []instr {
	var code, held []instr
	ends := map[op.Kind]op.Kind{op.Lock: op.Unlock, op.RLock: op.RUnlock, op.Send: op.Recv}
	release := func(i int) {
		code, held = append(code, instr{ends[held[i].kind], held[i].obj}), slices.Delete(held, i, i+1)
	}
	for range rapid.IntRange(0, 7).Draw(t, "length") {
		i := instr{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		switch i.kind {
		case op.Unlock:
			if len(held) > 0 {
				release(rapid.IntRange(0, len(held)-1).Draw(t, "which"))
			}
			continue
		case op.Recv, op.Once:
			continue // see exchange and useOnce
		case op.Lock, op.RLock, op.Send:
			i.obj = locking
			if i.kind != op.Send {
				i.obj = rapid.IntRange(0, programLocks-1).Draw(t, "lock")
			}
			again := slices.ContainsFunc(held, func(h instr) bool {
				return h.obj == i.obj && (h.kind == op.Send) == (i.kind == op.Send) && reorder.Excludes(h.kind, i.kind)
			})
			if again && rapid.IntRange(0, 9).Draw(t, "again") > 0 {
				continue // which is a deadlock for certain
			}
			held = append(held, i)
		case op.AtomicLoad, op.AtomicStore:
			i.obj = rapid.IntRange(0, 1).Draw(t, "variable")
		}
		code = append(code, i)
	}
	for len(held) > 0 && !orphan {
		release(len(held) - 1)
	}
	return code
}
