package report

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// WriteAll tells all violations in words, group by group.
func (v *Violation) WriteAll(w io.Writer, style Style) error {
	p := newPrinter(v, style)
	p.printf("%s\n%s.\n%s:\n", style.Formula(v.Property), capital(v.NumberText()), v.groupsText())
	for i, g := range v.All.Groups {
		result := *v.Result
		result.Witness = g.Witness
		p.v = &Violation{Net: v.Net, Property: v.Property, Result: &result}
		p.printf("\n%s\n", p.bold(fmt.Sprintf("%d. %s", i+1, numberText(g.Number))))
		for j, b := range g.Witness.TIVA {
			p.printf("    %s %s\n", b.TIV, v.placeText(g.Places[j]))
		}
		p.violation()
	}
	p.again()
	_, err := io.WriteString(w, p.b.String())
	return err
}

// groupsText says how many groups there are.
func (v *Violation) groupsText() string {
	text := "By where the " + taskWord(v.Net) + "s stand"
	for _, class := range v.All.Exchangeable {
		text += ", whichever of them is " + strings.Join(class, " and which ")
	}
	if len(v.All.Exchangeable) > 0 {
		text += ","
	}
	text += " they make "
	if v.All.Stopped != nil {
		text += "at least "
	}
	text += Plural(len(v.All.Groups)+v.All.Further, "group")
	if v.All.Further > 0 {
		text += fmt.Sprintf(", of which the first %d follow", len(v.All.Groups))
	}
	return text
}

// placeText says where the task of a TIV stands.
func (v *Violation) placeText(p tlcheck.Place) string {
	if p.Absent {
		return "does not exist yet"
	}
	var place []string
	switch {
	case p.Func != "":
		place = append(place, "in "+event.Printable(p.Func))
	case v.Net.HasFunctions():
		place = append(place, "in none of the traced functions")
	case p.At == "":
		place = append(place, "where the trace does not say")
	}
	if p.At != "" {
		place = append(place, "at "+event.Printable(p.At))
	}
	return "is " + strings.Join(place, ", ")
}

// NumberText says how many violations there are, and what one is.
func (v *Violation) NumberText() string {
	text := numberText(v.All.Number) + " in all, each a global state"
	if tivs := spec.TIVs(v.Property.Formula); len(tivs) > 0 {
		text += " with " + taskWord(v.Net) + "s for " + strings.Join(tivs, ", ")
	}
	if v.All.Stopped != nil {
		text += " (" + event.Printable(v.All.Covered) + ")"
	}
	return text
}

// capital begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func numberText(n tlcheck.Number) string {
	switch {
	case n.Exact() && n.Min.IsInt64() && n.Min.Int64() == 1:
		return "1 violation"
	case n.Exact():
		return Digits(n.Min) + " violations"
	case n.Max == nil:
		return "at least " + Digits(n.Min) + " violations"
	}
	return "at least " + Digits(n.Min) + " and at most " + Digits(n.Max) + " violations"
}

// manyDigits is more digits than help a reader; JSON has them all.
const manyDigits = 40

// Digits shows a number, a very large one by its size.
func Digits(n *big.Int) string {
	s := n.String()
	if len(s) <= manyDigits {
		return s
	}
	return fmt.Sprintf("about %s (%d digits)", new(big.Float).SetInt(n).Text('e', 2), len(s))
}

// Tally is what check --json adds with --all or --count.
type Tally struct {
	Number
	Uncounted string  `json:"uncounted,omitempty"`     // why the search for all violations ended early
	Groups    []Group `json:"groups,omitzero"`         // with --all
	Further   int     `json:"further_groups,omitzero"` // groups that are not shown

	Exchangeable [][]string `json:"exchangeable,omitempty"` // TIVs that make no other group when they are exchanged
}

// Number is a number of violations.
type Number struct {
	Count  *big.Int   `json:"count"`                  // null if it is not known
	Bounds []*big.Int `json:"count_bounds,omitempty"` // then at least and at most how many; null if that is not known
}

// Group are violations in which the tasks of the TIVs stand at the same places.
type Group struct {
	Places map[string]Place `json:"places"` // by TIV
	Number
	Witness  *Witness `json:"witness"`
	Happened bool     `json:"happened"`
	Reason   *Reason  `json:"reason,omitempty"`
}

// Place is where a task stands.
type Place struct {
	At      string `json:"at"`
	Func    string `json:"func"`
	Created bool   `json:"created"` // false where it does not exist yet
}

// tallyObject returns the JSON form of all violations.
func (v *Violation) tallyObject() *Tally {
	t := &Tally{Number: numberObject(v.All.Number), Uncounted: v.All.Covered, Further: v.All.Further, Exchangeable: v.All.Exchangeable}
	if v.Grouped {
		t.Groups = []Group{}
	}
	for _, g := range v.All.Groups {
		result := *v.Result
		result.Witness = g.Witness
		one := &Violation{Net: v.Net, Property: v.Property, Result: &result}
		o := Group{
			Places: map[string]Place{}, Number: numberObject(g.Number),
			Witness: one.witnessObject(), Happened: g.Witness.Happened, Reason: one.reasonObject(),
		}
		for i, b := range g.Witness.TIVA {
			p := g.Places[i]
			o.Places[b.TIV] = Place{p.At, p.Func, !p.Absent}
		}
		t.Groups = append(t.Groups, o)
	}
	return t
}

func numberObject(n tlcheck.Number) Number {
	if n.Exact() {
		return Number{Count: n.Min}
	}
	return Number{Bounds: []*big.Int{n.Min, n.Max}}
}
