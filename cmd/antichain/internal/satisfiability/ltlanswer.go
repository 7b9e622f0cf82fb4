package satisfiability

import (
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tracer/event"
)

// ltlAnswer is the answer to a question: one of Sat, Valid and Holds.
type ltlAnswer struct {
	batch.Header
	Sat            *bool      `json:"sat,omitempty"`
	Valid          *bool      `json:"valid,omitempty"`
	Holds          *bool      `json:"holds,omitempty"`
	Model          ltlWord    `json:"model,omitempty"`
	Counterexample ltlWord    `json:"counterexample,omitempty"`
	Reason         *ltlReason `json:"reason,omitempty"` // why a formula is not satisfiable
}

// ltlWord is the evidence for a verdict.
type ltlWord interface {
	// write writes the lines after the verdict.
	write(*strings.Builder)
}

// finiteWord is a list of letters.
type finiteWord ltl.Word

// infiniteWord is a stem and a repeated loop.
type infiniteWord tableau.Lasso

func (w finiteWord) write(b *strings.Builder) {
	fmt.Fprintf(b, ", shown by a word of %s:\n", wording.Plural(len(w), "letter"))
	for i, letter := range w {
		writeLetter(b, i, letter)
	}
}

func (w *infiniteWord) write(b *strings.Builder) {
	b.WriteString(", shown by an infinite word:\n")
	for i, letter := range w.Stem {
		writeLetter(b, i, letter)
	}
	b.WriteString("and then for ever:\n")
	for i, letter := range w.Loop {
		writeLetter(b, len(w.Stem)+i, letter)
	}
}

func writeLetter(b *strings.Builder, i int, letter []string) {
	fmt.Fprintf(b, "%5d  {%s}\n", i+1, event.Printable(strings.Join(letter, ", ")))
}

// ltlReason is tableau.Reason in JSON.
type ltlReason struct {
	Nodes   int           `json:"nodes"`
	Removed []removedNode `json:"removed,omitempty"`
}

// removedNode is an unsatisfiable node of the tableau.
type removedNode struct {
	Formulas    []string `json:"formulas"`
	Unfulfilled []string `json:"unfulfilled,omitempty"`
}

func newLTLReason(r *tableau.Reason) *ltlReason {
	texts := func(formulas []*temporal.Formula) (texts []string) {
		for _, f := range formulas {
			texts = append(texts, f.String())
		}
		return texts
	}
	reason := &ltlReason{Nodes: r.Nodes}
	for _, removed := range r.Removed {
		reason.Removed = append(reason.Removed, removedNode{texts(removed.Formulas), texts(removed.Unfulfilled)})
	}
	return reason
}

// write writes the lines after the verdict.
func (r *ltlReason) write(b *strings.Builder) {
	if r.Nodes == 0 {
		b.WriteString(": it is false by its connectives alone\n")
		return
	}
	fmt.Fprintf(b, ": %s of the tableau had to be removed\n", wording.Plural(r.Nodes, "node"))
	for _, removed := range r.Removed {
		why := "contradict each other"
		if removed.Unfulfilled != nil {
			why = "postpone for ever " + strings.Join(removed.Unfulfilled, ", ")
		}
		fmt.Fprintf(b, "    {%s} %s\n", event.Printable(strings.Join(removed.Formulas, ", ")), event.Printable(why))
	}
}

// verdict returns the yes or the no.
func (a *ltlAnswer) verdict() *bool {
	for _, v := range []*bool{a.Sat, a.Valid, a.Holds} {
		if v != nil {
			return v
		}
	}
	panic("an answer without a verdict")
}

// write writes the verdict as text, with the word or the reason for it.
func (a *ltlAnswer) write(w io.Writer, p *LTLProblem) error {
	var b strings.Builder
	b.WriteString(p.no)
	if *a.verdict() {
		b.Reset()
		b.WriteString(p.yes)
	}
	switch {
	case a.Model != nil:
		a.Model.write(&b)
	case a.Counterexample != nil:
		a.Counterexample.write(&b)
	case a.Reason != nil:
		a.Reason.write(&b)
	default:
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
