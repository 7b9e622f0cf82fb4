package report

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// writeGroups describes all violations, group by group.
func writeGroups(w io.Writer, s Subject, style Style) error {
	v := violation{s.Assessment(), style.Source}
	p := newPrinter(v, style)
	p.whole = true
	p.printf("%s\n%s.\n%s:\n", style.Formula(v.Property), capitalise(v.numberText()), v.groupsText())
	for i, g := range v.Violations.Groups {
		p.v = v.firstOf(g)
		p.printf("\n%s\n", p.bold(fmt.Sprintf("%d. %s", i+1, numberText(g.Number))))
		for j, b := range g.Witness.TIVA {
			p.printf("    %s %s\n", b.TIV, v.groupPlaceText(g.Places[j]))
		}
		p.violation()
	}
	p.repeatCommand()
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (v violation) firstOf(g tlcheck.Group) violation {
	first, result := *v.Assessment, *v.Result
	result.Witness = g.Witness
	first.Result = &result
	return violation{&first, v.source}
}

// groupsText says how many groups there are.
func (v violation) groupsText() string {
	text := "By where the " + taskWord(v.Net) + "s stand"
	for _, class := range v.Violations.Exchangeable {
		text += ", whichever of them is " + strings.Join(class, " and which ")
	}
	if len(v.Violations.Exchangeable) > 0 {
		text += ","
	}
	text += " they make "
	if v.Violations.Stopped != nil {
		text += "at least "
	}
	text += wording.Plural(len(v.Violations.Groups)+v.Violations.Further, "group")
	if v.Violations.Further > 0 {
		text += fmt.Sprintf("; the first %d follow", len(v.Violations.Groups))
	}
	return text
}

// groupPlaceText says where the task of a TIV stands.
func (v violation) groupPlaceText(p tlcheck.Place) string {
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
		place = append(place, "at "+v.source.place(p.At))
	}
	return "is " + strings.Join(place, ", ")
}

// numberText says how many violations there are, and what counts as one.
func (v violation) numberText() string {
	text := numberText(v.Violations.Number) + " in all, each a global state"
	if tivs := spec.TIVs(v.Property.Formula); len(tivs) > 0 {
		text += " with " + taskWord(v.Net) + "s for " + strings.Join(tivs, ", ")
	}
	if v.Violations.Stopped != nil {
		text += " (" + event.Printable(v.Violations.Covered) + ")"
	}
	return text
}

func capitalise(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func numberText(n tlcheck.Number) string {
	switch {
	case n.Exact() && n.Min.IsInt64() && n.Min.Int64() == 1:
		return "1 violation"
	case n.Exact():
		return wording.Digits(n.Min) + " violations"
	case n.Max == nil:
		return "at least " + wording.Digits(n.Min) + " violations"
	}
	return "at least " + wording.Digits(n.Min) + " and at most " + wording.Digits(n.Max) + " violations"
}

// ViolationCount has the fields that --all and --count add to the JSON of check.
type ViolationCount struct {
	Number
	// why the search for all violations ended early
	Uncounted string  `json:"uncounted,omitempty"`
	Groups    []Group `json:"groups,omitzero"`         // with --all
	Further   int     `json:"further_groups,omitzero"` // number of groups that are not shown

	// classes of TIVs whose exchange makes no other group
	Exchangeable [][]string `json:"exchangeable,omitempty"`
}

// Number is a number of violations.
type Number struct {
	Count *big.Int `json:"count"` // null if unknown
	// lower and upper bound if Count is null; null for an unknown bound
	Bounds []*big.Int `json:"count_bounds,omitempty"`
}

// Group are violations in which the tasks of the TIVs stand at the same places.
type Group struct {
	Places map[string]Place `json:"places"` // by TIV
	Number
	Witness  *Witness `json:"witness"`
	Happened bool     `json:"happened"`
	Reason   *Reason  `json:"reason,omitempty"`
}

// Place is the place of a task.
type Place struct {
	At      string `json:"at"`
	Func    string `json:"func"`
	Created bool   `json:"created"` // false before it exists
}

// violationCount returns the JSON form of all violations.
func (v violation) violationCount() *ViolationCount {
	t := &ViolationCount{Number: numberObject(v.Violations.Number), Uncounted: v.Violations.Covered,
		Further: v.Violations.Further, Exchangeable: v.Violations.Exchangeable}
	if v.Violations.Grouped {
		t.Groups = []Group{}
	}
	for _, g := range v.Violations.Groups {
		one := v.firstOf(g)
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
