package race

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// withText adds texts and notes to findings.
func withText(found []rule.Finding, names op.Names) []rule.Finding {
	for i := range found {
		f := &found[i]
		f.Text = Text(f, names, "the memory that")
		first := candidate.Words{Names: names}.TaskName(f.Parties[1].Task)
		if f.Sectioned {
			f.Notes = append(f.Notes, fmt.Sprintf("in this run critical sections ordered the two, and %s came first; in the order shown, either can come first, or both at once", first))
			continue
		}
		can := "either can, or both at once"
		if f.How == rule.Following {
			can = "nothing keeps the other from coming first"
		}
		f.Notes = append([]string{fmt.Sprintf("in this run %s came first; %s", first, can)}, f.Notes...)
	}
	return found
}

// Text describes a race in a sentence. memory names the memory, such as "the memory that" or
// "counts, which".
func Text(f *rule.Finding, names op.Names, memory string) string {
	w := candidate.Words{Names: names}
	now, before := &f.Parties[0], &f.Parties[1]
	orders := "nothing orders the two"
	if f.Sectioned {
		orders = "only critical sections, which can come in another order, order the two"
	}
	return fmt.Sprintf("%s %s%s %s %s %s%s, and %s",
		w.TaskName(now.Task), now.Does, w.At(now.At), memory, w.TaskName(before.Task), before.Does, w.At(before.At), orders)
}

// decidedBy returns the note that another race decides what is read on the way to a race.
func decidedBy(other *rule.Finding, names op.Names) string {
	return "a read before this race depends on another race, in which " +
		Text(other, names, "the memory that") + "; in the order shown it may see another value"
}

const notDecided = "too much happened before it to say whether every read still sees the value of the run"

// accesses returns an access as a verb.
func accesses(kind op.Kind) string {
	return map[op.Kind]string{
		op.Read: "reads", op.Write: "writes", op.AtomicLoad: "atomically reads", op.AtomicStore: "atomically writes",
	}[kind]
}

// undecidedText describes what was not decided, "" if everything was.
func (r *sectionedRaces) undecidedText() string {
	switch {
	case r.many:
		return fmt.Sprintf("critical sections order more than %d pairs of accesses in this run; the others were not checked", maxSectioned)
	case r.skipped > 0:
		return fmt.Sprintf("%d more pairs of accesses that critical sections order in this run were not checked", r.skipped)
	case r.lost == 1:
		return "1 conflict of accesses that critical sections order in this run was not decided, as too much happened in between"
	case r.lost > 0:
		return fmt.Sprintf("%d conflicts of accesses that critical sections order in this run were not decided, as too much happened in between", r.lost)
	}
	return ""
}
