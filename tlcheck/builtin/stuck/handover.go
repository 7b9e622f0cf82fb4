package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// handovers finds tasks that wait for ever for a lock which one task takes and another one unlocks.
//
// Task W has locked, and U has unlocked that section. Task P, which is U or has started U, has
// locked before. If W does not need P's section, it can come first. Then P waits for U, and U never
// comes.
//
// It is not enough that U knows of P's section: one that unlocks for each task that sends to it
// knows of those that came before, and would have unlocked for W first.
type handovers []handover

// handover is a section that another task than its own ends, and a lock that comes before the end.
type handover struct {
	object  op.Object
	section state.Section
	end     candidate.Mark
	waits   candidate.Mark // of P
}

// maxHandovers bounds those of different places.
const maxHandovers = 64

// noteEnd notes that a task unlocks a section of another one.
func (h *handovers) noteEnd(o *op.Op, run *state.Run) {
	s := run.Released
	if s.Task == o.Task || s.Kind == op.None {
		return
	}
	for _, m := range run.Objects.Ensure(o.Object).Users.List {
		excludes := m.Kind == op.Lock || m.Kind == op.RLock && s.Kind == op.Lock
		isNeeded := m.Within(s.Free, s.Task, s.K)
		isBehind := m.Task == o.Task || run.StartsBehind(&m, o.Task)
		if excludes && m.Task != s.Task && !isNeeded && isBehind {
			h.add(handover{o.Object, s, candidate.MarkOf(o, o.Kind), m})
		}
	}
}

func (h *handovers) add(x handover) {
	isKnown := slices.ContainsFunc(*h, func(y handover) bool {
		return y.section.At == x.section.At && y.waits.At == x.waits.At
	})
	if !isKnown && len(*h) < maxHandovers {
		*h = append(*h, x)
	}
}

// handover reports a task that waits for a lock whose section ends only when it has had the lock
// itself.
func (w words) handover(x *handover) rule.Finding {
	lock, locker := w.ObjectName(x.object), w.TaskName(x.section.Task)
	return rule.Finding{
		How: rule.Reordered, Cause: x.section.At,
		Text: w.TaskName(x.waits.Task) + " can wait for ever" + w.At(x.waits.At) + " to lock " + lock + ": " + locker +
			" may have locked it" + w.At(x.section.At) + ", and " + w.TaskName(x.end.Task) + " unlocks it for " +
			locker + w.At(x.end.At) + " only after that",
		Parties:  []rule.Party{x.waits.Party(x.object, "waits for ever to lock "+lock)},
		Schedule: []op.Step{x.section.Step(x.object), x.waits.Step(x.object)},
	}
}
