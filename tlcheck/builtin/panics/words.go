package panics

import "github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"

// describe leaves out panics by a misuse, at the same place: other rules report these.
func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	if p.Second.At != 0 && w.Place(p.Second.At).At == w.Place(p.First.At).At {
		return candidate.Description{}
	}
	return candidate.Description{
		Text:  w.TaskName(p.First.Task) + " panics" + w.At(p.First.At) + " while the program ends, which does not wait for it",
		First: "panics",
	}
}
