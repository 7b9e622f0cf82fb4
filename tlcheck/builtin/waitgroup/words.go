package waitgroup

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
)

func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	group := w.ObjectName(p.Object)
	switch {
	case p.Flaw == waitReused:
		return candidate.Description{
			// in Wait, Add or Done
			Text:  w.Doer(&p.First) + " finds " + group + " used again before Wait has returned",
			First: "finds " + group + " used again",
		}
	case p.Flaw == negative && p.How == rule.Observed:
		return candidate.Description{Text: w.Doer(&p.First) + " makes the counter of " + group + " negative", First: "calls Done on " + group}
	case p.Flaw == negative:
		return candidate.Description{
			Text: w.Doer(&p.First) + " can make the counter of " + group + " negative: it does not wait for " +
				w.TaskName(p.Second.Task) + ", which adds to it" + w.At(p.Second.At),
			First:    "calls Done on " + group,
			Second:   "adds to " + group,
			Schedule: []candidate.Mark{p.First},
		}
	}
	return candidate.Description{
		Text: w.Doer(&p.First) + " can add to " + group + " from zero while " + w.TaskName(p.Second.Task) +
			" waits for it" + w.At(p.Second.At) + "; Wait may then return too early",
		First:    "adds to " + group,
		Second:   "waits for " + group,
		Schedule: []candidate.Mark{p.Second, p.First},
		Notes:    []string{"an Add that starts from zero must come before the Wait: call it before the go statement, not in the goroutine"},
	}
}
