package copy

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// uses are the operations after which an object must not be copied, in words.
var uses = map[op.Kind]string{
	op.Lock: "has locked", op.RLock: "has read-locked", op.Add: "has added to", op.Wait: "has waited for",
	op.CondWait: "has waited for", op.Signal: "has signalled", op.Broadcast: "has signalled", op.Once: "has used",
}

// describe leaves out copies by the library: package reflect copies values that it prints.
func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	if w.Place(p.First.At).Library {
		return candidate.Description{}
	}
	object, used, unlocked := w.ObjectName(p.Object), uses[p.Second.Kind], ""
	notes := []string{"the copy is a separate object, which begins in the state of the original: users of one do not wait for users of the other; pass a pointer"}
	if p.Flaw == copyLocked {
		unlocked = " and not unlocked"
		notes = append(notes, "the copy stays locked until it is unlocked itself: to unlock the original does not help")
	}
	return candidate.Description{
		Text:   w.Doer(&p.First) + " copies " + object + ", which " + w.TaskName(p.Second.Task) + " " + used + w.At(p.Second.At) + unlocked,
		First:  "copies " + object,
		Second: used + " " + object,
		Notes:  notes,
	}
}
