package builtin

import (
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// byCause keeps one of the findings with the same cause, with the others in Also: the best known of
// those that were not reported before.
func byCause(names op.Names, all []Finding) []Finding {
	causes := make([]string, len(all)) // "": not known
	heads := map[string]int{}
	for i := range all {
		if all[i].Cause != 0 {
			causes[i] = callsTo(names, all[i].Cause)
		}
		if head, ok := heads[causes[i]]; causes[i] != "" && (!ok || isBetter(&all[i], &all[head])) {
			heads[causes[i]] = i
		}
	}
	isHead := func(i int) bool { return causes[i] == "" || heads[causes[i]] == i }
	for i := range all {
		if !isHead(i) {
			head := &all[heads[causes[i]]]
			head.Also = append(head.Also, all[i])
		}
	}
	var found []Finding
	for i := range all {
		if isHead(i) {
			found = append(found, all[i])
		}
	}
	return found
}

// callsTo returns how a program came to a place. If a method takes locks for others, it shows which
// of these forgets one.
func callsTo(names op.Names, at op.Place) string {
	l := names.Place(at)
	calls := []string{l.At}
	for _, f := range l.Stack {
		calls = append(calls, f.At)
	}
	return strings.Join(calls, " ")
}

// isBetter reports whether one should have other in Also.
func isBetter(one, other *Finding) bool {
	if one.Told != other.Told {
		return other.Told
	}
	return one.How < other.How
}
