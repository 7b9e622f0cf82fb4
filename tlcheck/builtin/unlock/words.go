package unlock

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
)

func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	lock, locked := w.ObjectName(p.Object), "locked"
	if p.Flaw == runlockUnlocked {
		locked = "locked for reading"
	}
	if p.How == rule.Observed {
		return candidate.Description{Text: w.Doer(&p.First) + " unlocks " + lock + ", which is not " + locked, First: "unlocks " + lock}
	}
	return candidate.Description{
		Text: w.Doer(&p.First) + " can unlock " + lock + " when it is not " + locked + ": it does not wait for " +
			w.TaskName(p.Second.Task) + ", which locks it" + w.At(p.Second.At),
		First:    "unlocks " + lock,
		Second:   "locks " + lock,
		Schedule: []candidate.Mark{p.First},
	}
}
