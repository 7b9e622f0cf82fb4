package closed

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	channel, by := w.ObjectName(p.Object), ""
	if p.Second.Kind == op.Close {
		by = ", which " + w.TaskName(p.Second.Task) + " closes" + w.At(p.Second.At)
	}
	switch {
	case p.Flaw == closeNil:
		return candidate.Description{Text: w.Doer(&p.First) + " closes a nil channel", First: "closes a nil channel"}
	case p.Flaw == closeClosed:
		return candidate.Description{
			Text:   w.Doer(&p.First) + " closes " + channel + " again" + by,
			First:  "closes " + channel,
			Second: "has closed " + channel,
		}
	case p.How == rule.Observed:
		return candidate.Description{
			Text:   w.Doer(&p.First) + " sends on closed " + channel + by,
			First:  "sends on " + channel,
			Second: "has closed " + channel,
		}
	}
	return candidate.Description{
		Text: w.Doer(&p.First) + " can send on " + channel + " after " + w.TaskName(p.Second.Task) +
			" closes it" + w.At(p.Second.At),
		First:    "sends on " + channel,
		Second:   "closes " + channel,
		Schedule: []candidate.Mark{p.Second, p.First},
		Notes:    []string{"neither the send nor the close waits for the other; a send on a closed channel panics"},
	}
}

func describeFlagged(w candidate.Words, p *candidate.Pair, by closer) candidate.Description {
	channel, first := w.ObjectName(p.Object), w.TaskName(p.Second.Task)
	return candidate.Description{
		Text: w.Doer(&p.First) + " can find its variable unset and close " + channel + " when " + first +
			" closes it" + w.At(p.Second.At),
		First:    "finds that " + channel + " is open, and closes it",
		Second:   "closes " + channel,
		Fails:    p.Second,
		Schedule: by.schedule(p.First),
		Notes: []string{
			"in this run it came there after " + first + " had set the variable, but nothing orders the two; " +
				"CompareAndSwap tests and sets in one step",
			"the report assumes that after its load " + w.TaskName(p.First.Task) +
				" would close the channel, as " + first + " did",
		},
		Guess:     &rule.Guess{Text: "after its load the goroutine closes the channel, as another one did"},
		IsDoubted: true,
	}
}

func describeGuarded(w candidate.Words, p *candidate.Pair, lock op.Object) candidate.Description {
	channel, first := w.ObjectName(p.Object), w.TaskName(p.Second.Task)
	return candidate.Description{
		Text: w.Doer(&p.First) + " can find " + channel + " open and close it when " + first +
			" closes it" + w.At(p.Second.At),
		First:  "locks " + w.ObjectName(lock) + " to find out whether the channel is closed",
		Second: "closes " + channel,
		Notes: []string{"in this run it entered that critical section after " + first + " had left it, " +
			"but nothing orders the two; test and close in one critical section"},
	}
}

func describePolled(w candidate.Words, p *candidate.Pair, example *candidate.Mark) candidate.Description {
	channel := w.ObjectName(p.Object)
	return candidate.Description{
		Text: w.Doer(&p.First) + " can take the default of its select statement and close " + channel + " when " +
			w.TaskName(p.Second.Task) + " closes it" + w.At(p.Second.At),
		First:    "finds " + channel + " open, and closes it",
		Second:   "closes " + channel,
		Fails:    *example,
		Schedule: []candidate.Mark{p.First, p.Second},
		Notes: []string{
			"in this run it found the channel closed, but nothing made it wait for the close",
			"after that default " + w.TaskName(example.Task) + " has closed the channel of the case" + w.At(example.At) +
				"; the report assumes that " + w.TaskName(p.First.Task) + " does the same",
		},
		Guess: &rule.Guess{Text: "after its default the goroutine closes the channel, as another one did in this run"},
	}
}
