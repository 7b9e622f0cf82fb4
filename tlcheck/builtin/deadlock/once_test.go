package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// Programs have a Once. Between Once and ran is the function that a task gives it, which the task
// leaves out if a function has been run.
const ran = op.KindCount

const onceObject = 31

type onceState struct {
	running int // who runs the function, plus 1
	done    bool
}

func (p *program) doOnce(s *globalState, t int, kind op.Kind) {
	switch {
	case kind == ran:
		s.once = onceState{done: true}
	case !s.once.done:
		s.once.running = t + 1
	default:
		s.pc[t] += slices.IndexFunc(p.tasks[t][s.pc[t]:], func(i instr) bool { return i.kind == ran }) + 1
	}
}

// tellOnce reports that a task begins to run the function or does not, or has run it.
func (o *observer) tellOnce(s *globalState, t int, i instr) {
	tell := func(kind op.Kind, n int64, learns knowledge) {
		o.step(t)
		x := o.op(s, t, i)
		o.knows[t] = o.knows[t].with(learns)
		x.Kind, x.Arg = kind, n
		x.Free, x.Full = o.clock(o.knows[t], x.Task), o.fullClock(o.knows[t], x.Task)
		o.to.Op(x)
	}
	switch {
	case i.kind == ran:
		tell(op.Once, 1, nil)
		o.rest["once"] = o.knows[t]
		tell(op.Unlock, 0, nil)
		fallthrough
	case s.once.done:
		tell(op.Once, 0, o.rest["once"])
	default:
		tell(op.Lock, 0, nil)
	}
}

// useOnce inserts a use of the Once in some tasks, each with a function of its own.
func (p *program) useOnce(t *rapid.T, kinds []op.Kind) {
	for i := range p.tasks {
		if rapid.Bool().Draw(t, "once") {
			function := append([]instr{{op.Once, 0}}, randomTask(t, kinds, false)...)
			at := rapid.IntRange(0, len(p.tasks[i])).Draw(t, "at")
			p.tasks[i] = slices.Insert(p.tasks[i], at, append(function, instr{ran, 0})...)
		}
	}
}
