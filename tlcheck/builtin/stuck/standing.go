package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Standing returns how the tasks stand after the operations so far. Those that wait or poll for
// ever are reported as they would be if the run was ended now, deadlocks among them. It changes
// nothing.
func (d *detector) Standing(names op.Names) *rule.Standing {
	w := words{candidate.Words{Names: names}, d.memory}
	end := d.run.Judge(names)
	s := &rule.Standing{GoesOn: end.Running}
	polling := d.pollingFindings(w, end.Stuck)
	mayAwaitExit := d.run.MayAwaitExit()
	for _, group := range w.groups(d.ofProgram(w, end.Waiting)) {
		w.takeBehind(group, &polling)
		isMeant := func(t op.Task) bool { return end.Running && mayAwaitExit[t] && d.run.IsCutOff(t) }
		if slices.ContainsFunc(group, func(t op.Task) bool { return !isMeant(t) }) {
			f := w.report(group, end.Running)
			for i := range f.Parties {
				f.Parties[i].K = d.run.Task(f.Parties[i].Task).Block.K
			}
			s.ForEver = append(s.ForEver, f)
			s.Main = s.Main || slices.Contains(group, 0)
		}
	}
	for _, f := range polling {
		if f.Guess == nil {
			s.ForEver = append(s.ForEver, f)
			s.Main = s.Main || f.Parties[0].Task == 0
		}
	}
	s.Waits = func() (all []rule.Wait) {
		for number, t := range d.run.Tasks() {
			if t.Waits && !d.run.MayServe(number) {
				wait := w.wait(number, t)
				_, assumed := d.run.AwaitsUnlock(number)
				wait.ForEver = end.Stuck[number] && !(end.Running && assumed)
				wait.Comes = end.GoOn[number]
				all = append(all, wait)
			}
		}
		return all
	}
	return s
}

func (w words) wait(number op.Task, t *state.Task) rule.Wait {
	b := &t.Block
	wait := rule.Wait{Party: b.Party(b.Object, w.waitsFor(b))}
	wait.Holds = slices.Clone(t.Held)
	switch b.Kind {
	case op.Lock, op.RLock, op.Once, op.Wait:
		wait.Why = withoutEqual(w.reasons(number, b))
	}
	return wait
}
