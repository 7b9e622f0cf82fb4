package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// Key tells findings apart, also those of several runs of an executable: those that differ in tasks
// and objects only have the same.
type Key struct {
	Property Property
	Places   string
}

// Key returns the key of a finding of a run with these names: where the parties are and what they
// do there. Parties in another order are the same, and so are more of them at the same places, as
// in longer cycles of what one line locks in any order. Those that wait behind them are no part of
// it.
func (f *Finding) Key(names op.Names) Key {
	made := f.Makers()
	parties := make([]string, len(made))
	for i, p := range made {
		holds := make([]string, len(p.Holds))
		for j, h := range p.Holds {
			holds[j] = place(names, h.Kind, h.At)
		}
		slices.Sort(holds)
		parties[i] = place(names, p.Kind, p.At) + "(" + strings.Join(slices.Compact(holds), ",") + ")"
	}
	slices.Sort(parties)
	return Key{f.Property, strings.Join(slices.Compact(parties), " ")}
}

func place(names op.Names, kind op.Kind, at op.Place) string {
	return strconv.Itoa(int(kind)) + "@" + names.Place(at).At
}
