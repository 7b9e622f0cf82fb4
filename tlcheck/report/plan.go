package report

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// maxPlanDepth bounds the depth to which a formula tree is shown; deeper nodes are counted.
const maxPlanDepth = 40

// planPrinter prints how a property is checked.
type planPrinter struct {
	p     *tlcheck.Plan
	task  string       // "task" or "goroutine"
	shown map[int]bool // by index of the node
	lines []planLine
	b     strings.Builder
}

// planLine is a line of the formula tree.
type planLine struct {
	text  string
	class string
	cost  *tlcheck.NodeCost // nil for a line without a node, or with one shown already
}

// WritePlan prints the plan in words, with the costs if it was executed on a net; else net is nil.
// memory is that of PlanObject.
func WritePlan(w io.Writer, p *tlcheck.Plan, net *san.Net, memory string) error {
	pp := &planPrinter{p: p, task: taskWord(net), shown: map[int]bool{}}
	tivs := ""
	if len(p.TIVs) > 0 {
		tivs = " and an assignment of " + pp.task + "s to " + strings.Join(p.TIVs, ", ")
	}
	pp.printf("A violation is a global state%s in which this is true:\n\n", tivs)
	pp.node(0, "", "", "", 0)
	pp.tree()
	pp.printf("\n")
	pp.onTheFly()
	if memory != "" {
		pp.printf("memory on-the-fly: %s\n", memory)
	}
	if kept := pp.p.RunOrder; kept == nil {
		pp.printf("other orders of critical sections: checkable\n")
	} else {
		pp.printf("other orders of critical sections: refused, they come as in the run: %s\n",
			event.Printable(kept.Error()))
	}
	for i := range p.Branches {
		b := &p.Branches[i]
		part := ""
		if len(p.Branches) > 1 {
			part = " where " + shortFormula(b.Formula)
		}
		pp.printf("search%s: %s\n", part, pp.branch(b))
	}
	if p.Costs != nil {
		pp.costs()
	}
	_, err := io.WriteString(w, pp.b.String())
	return err
}

func (pp *planPrinter) printf(format string, args ...any) { fmt.Fprintf(&pp.b, format, args...) }

// node adds the lines of a node and of those below it. first is the prefix of its own line, rest
// that of the others.
func (pp *planPrinter) node(i int, first, rest, role string, depth int) {
	n := &pp.p.Nodes[i]
	text := first + role + shortFormula(n.Formula)
	if pp.shown[i] {
		pp.lines = append(pp.lines, planLine{text: text, class: "as above"})
		return
	}
	pp.shown[i] = true
	pp.lines = append(pp.lines, planLine{text, classText(n), &n.Cost})
	if depth == maxPlanDepth && len(n.Parts) > 0 {
		pp.lines = append(pp.lines, planLine{text: rest + "└─ …"})
		return
	}
	for j, part := range n.Parts {
		branch, below := "├─ ", "│  "
		if j == len(n.Parts)-1 {
			branch, below = "└─ ", "   "
		}
		pp.node(part, rest+branch, rest+below, roleOf(n, j), depth+1)
	}
}

// roleOf describes the role of part j in its node, if that is not obvious.
func roleOf(n *tlcheck.PlanNode, j int) string {
	f := n.Formula
	if not, ok := f.(*spec.Not); ok {
		f = not.X
	}
	if b, ok := f.(*spec.Binary); ok && j == 0 {
		return "false left of " + b.Op.String() + ": "
	}
	if j >= len(n.Parts)-n.Guards {
		return "false before: "
	}
	return ""
}

// maxFormula bounds the length of a formula that a plan shows in full.
const maxFormula = 1000

func shortFormula(f spec.Formula) string {
	return cut(event.Printable(spec.Beginning(f, utf8.UTFMax*maxFormula)), maxFormula)
}

// classText names the smallest classes of a node.
func classText(n *tlcheck.PlanNode) string {
	var words []string
	switch {
	case n.Local:
		words = append(words, "local")
	case n.Conjunctive:
		words = append(words, "conjunctive")
	}
	switch {
	case n.Bounded:
		words = append(words, "bounded")
	case n.Stable():
		words = append(words, "stable")
	default:
		words = append(words, "not stable")
	}
	return strings.Join(words, ", ")
}

// treeWidth bounds the width of the formula tree.
const treeWidth = 72

func (pp *planPrinter) tree() {
	width, classes := 0, len("as above")
	for i := range pp.lines {
		l := &pp.lines[i]
		l.text = cut(l.text, treeWidth)
		width = max(width, utf8.RuneCountInString(l.text))
		classes = max(classes, len(l.class))
	}
	costs := pp.p.Costs != nil
	if costs {
		pp.printf("    %*s  %9s %9s %9s %9s\n", width+2+classes, "", "sets", "intervals", "largest", "time")
	}
	for _, l := range pp.lines {
		line := fmt.Sprintf("    %s%*s  %-*s", l.text, width-utf8.RuneCountInString(l.text), "", classes, l.class)
		if costs && l.cost != nil {
			line += "  " + costText(l.cost)
		}
		pp.printf("%s\n", strings.TrimRight(line, " "))
	}
}

func costText(c *tlcheck.NodeCost) string {
	if c.Sets == 0 {
		return fmt.Sprintf("%9s %9s %9s %9s", "-", "-", "-", "-")
	}
	return fmt.Sprintf("%9d %9d %9d %9s", c.Sets, c.Intervals, c.Largest, durationText(c.Own))
}

// durationText formats a duration with three digits.
func durationText(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// onTheFly says whether the property can be checked while the program runs, and which nodes prevent
// it.
func (pp *planPrinter) onTheFly() {
	if pp.p.Unmonitorable == nil {
		pp.printf("on-the-fly: checkable\n")
		return
	}
	formula, reason := refusal(pp.p.Unmonitorable)
	pp.printf("on-the-fly: refused because of %q: %s\n", formula, event.Printable(reason))
}

func (pp *planPrinter) branch(b *tlcheck.PlanBranch) string {
	var text string
	switch {
	case pp.p.Property.Initially:
		text = "only the initial state is looked at"
	case len(b.Sets) == 0 && len(b.Inner) == 0:
		text = "a sweep over the local states"
	case len(b.Sets) == 0:
		text = "a sweep over the local states of " + strings.Join(b.Inner, ", ")
	default:
		text = "sets of slices"
		if b.Spans {
			text = "until by rows of local states"
		}
		if len(b.Outer) > 0 {
			text += " for every " + strings.Join(b.Outer, ", ")
		}
		if len(b.Inner) > 0 {
			text += ", in them a sweep over the local states of " + strings.Join(b.Inner, ", ")
		}
	}
	for i, c := range b.Conds {
		text += []string{" with ", " and "}[min(i, 1)] + spec.FormatCond(c)
	}
	return text
}

func (pp *planPrinter) costs() {
	c := pp.p.Costs
	pp.printf("time: %s (%s for the plan, %s for the values of the atoms, "+
		"%s for searching, %s for the reasons of the witness)\n",
		durationText(c.Total()), durationText(c.Plan), durationText(c.Values), durationText(c.Search),
		durationText(c.Reasons))
	pp.printf("assignments of %ss: %s\n", pp.task, c.TIVAs)
}
