// Package builtin finds concurrency bugs in a run without a specification: deadlocks, goroutines
// that wait for ever, operations on closed channels, misused WaitGroups and locks, data races.
//
//	checker, err := builtin.New(builtin.Deadlock, builtin.Stuck)
//	checker.Op(&o) // each operation of the run
//	for _, finding := range checker.Findings(names) {
//		fmt.Println(finding.Property, finding.How, finding.Text)
//	}
//
// Its input is the sequence of operations of the run (package op) with their clocks: those of a
// trace have them, and package stamp computes them for others. Without clocks nothing seems
// ordered, and what no order allows is predicted. A finding is a bad global state of the run, a
// slice: two tasks wait for each other's locks, or a close and a send can come in either order. A
// finding is observed if the run passed through that slice. It is predicted if only another order
// of the same operations does. It is possible if that rests on what the program does in code that
// the run has not shown.
//
// Each property has a rule in a package of its own. Package rule says how to write others.
package builtin

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/closed"
	"github.com/antichain-go/antichain/tlcheck/builtin/copy"
	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/leak"
	"github.com/antichain-go/antichain/tlcheck/builtin/panics"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/builtin/stuck"
	"github.com/antichain-go/antichain/tlcheck/builtin/unlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/waitgroup"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// Types of package rule.
type (
	Property  = rule.Property
	Finding   = rule.Finding
	Certainty = rule.Certainty
	Guess     = rule.Guess
	Behind    = rule.Behind
	Party     = rule.Party
	HeldLock  = rule.HeldLock
	Lasting   = rule.Lasting
	Key       = rule.Key
	Like      = rule.Like
	Deed      = rule.Deed
	Open      = rule.Open
	OpenWait  = rule.OpenWait
	Standing  = rule.Standing
	Wait      = rule.Wait
)

// Values of Certainty and Behind.
const (
	Observed  = rule.Observed
	Predicted = rule.Predicted
	Reordered = rule.Reordered
	Following = rule.Following
	Possible  = rule.Possible

	Unread    = rule.Unread
	ComesBack = rule.ComesBack
	Leaves    = rule.Leaves
)

// The built-in properties.
const (
	Race      Property = "race"
	Deadlock  Property = "deadlock"
	Stuck     Property = "stuck"
	Closed    Property = "closed"
	WaitGroup Property = "waitgroup"
	Unlock    Property = "unlock"
	Copy      Property = "copy"
	Leak      Property = "leak"
	Panic     Property = "panic"
)

// Rules are those of the built-in properties, in the order of reports.
var Rules = []*rule.Rule{
	deadlock.Rule, stuck.Rule, closed.Rule, waitgroup.Rule, unlock.Rule, panics.Rule, copy.Rule,
	race.Rule, leak.Rule,
}

// Properties are the properties of Rules, in the same order.
var Properties = propertiesOf(Rules)

func propertiesOf(rules []*rule.Rule) []Property {
	var all []Property
	for _, r := range rules {
		all = append(all, r.Name)
	}
	return all
}

// Parse returns the property of that name. An error suggests another name.
func Parse(name string) (Property, error) {
	if p := Property(name); slices.Contains(Properties, p) {
		return p, nil
	}
	names := make([]string, len(Properties))
	for i, p := range Properties {
		names[i] = string(p)
	}
	hint := ""
	if near := source.Closest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return "", fmt.Errorf("no built-in property %q%s", name, hint)
}

// NeedsAccesses reports whether the property is about accesses to memory, which are recorded only
// on demand.
func NeedsAccesses(p Property) bool {
	i := slices.Index(Properties, p)
	return i >= 0 && Rules[i].NeedsAccesses
}
