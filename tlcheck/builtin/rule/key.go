package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// Key distinguishes findings, also those of several runs of an executable. Findings that differ in
// tasks and objects only have the same key.
type Key struct {
	Property Property
	Places   string
}

// Key returns the key of a finding of a run with these names: where the parties are and what they
// do there. It does not depend on the order of the parties, or on how many are at the same places:
// a line that locks in any order makes cycles of any length. Parties that wait behind them are not
// in it.
func (f *Finding) Key(names op.Names) Key { return keyOf(f.Property, f.Makers(), names) }

func keyOf(property Property, made []Party, names op.Names) Key {
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
	return Key{property, strings.Join(slices.Compact(parties), " ")}
}

// BugKey distinguishes bugs, also those of several runs of an executable: findings with the same
// cause have the same one, whatever they violate. It is the Key if no cause is known.
func (f *Finding) BugKey(names op.Names) Key {
	if f.Cause == 0 {
		return f.Key(names)
	}
	return Key{Places: callsTo(names, f.Cause)}
}

// HappenedKey is the Key that the finding has when it happens.
func (f *Finding) HappenedKey(names op.Names) Key {
	made := f.Makers()
	if f.Fails.At != 0 {
		made = slices.Clone(made)
		made[0] = Party{Kind: f.Fails.Kind, At: f.Fails.At}
	}
	return keyOf(f.Property, made, names)
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

// Waits returns where parties wait, and for what, as Key does.
func Waits(names op.Names, parties []Party) []string {
	all := make([]string, len(parties))
	for i, p := range parties {
		all[i] = place(names, p.Kind, p.At)
	}
	return all
}

// WaitsHolding returns what Waits does, and each lock that is held during a wait.
func WaitsHolding(names op.Names, parties []Party) []string {
	all := Waits(names, parties)
	for i, p := range parties {
		for _, h := range p.Holds {
			all = append(all, all[i]+"("+place(names, h.Kind, h.At)+")")
		}
	}
	return all
}

func place(names op.Names, kind op.Kind, at op.Place) string {
	return strconv.Itoa(int(kind)) + "@" + names.Place(at).At
}
