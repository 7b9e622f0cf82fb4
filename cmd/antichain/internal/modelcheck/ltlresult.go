package modelcheck

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// ltlResult is the result of checking a formula of LTL.
type ltlResult struct {
	counterexample *kripke.Path // nil if there is none
	system         kripke.System
	looked         string // number of visited states or pairs, as text
	noFairPath     bool   // no fair path begins in an initial state, so every formula holds
	dot            bool   // the text is a picture
	// numbers of states mean nothing outside of this search, so JSON describes them
	described bool
}

// ltlAnswer is a result in JSON.
type ltlAnswer struct {
	batch.Header
	Holds          bool      `json:"holds"`
	NoFairPath     bool      `json:"no_fair_path,omitempty"` // so every formula holds
	Counterexample *ltlLasso `json:"counterexample,omitempty"`
	// Described has a text for each state of the counterexample. It is nil for a model whose
	// numbers of states have a meaning outside of the search.
	Described map[kripke.State]string `json:"described,omitempty"`
}

// ltlLasso is an infinite path.
type ltlLasso struct {
	Stem []kripke.State `json:"stem"`
	Loop []kripke.State `json:"loop"` // repeated for ever
}

func (r *ltlResult) verdict() tlcheck.Verdict {
	if r.counterexample != nil {
		return tlcheck.Violated
	}
	return tlcheck.Holds
}

func (r *ltlResult) answer(id json.RawMessage) any {
	a := &ltlAnswer{Header: batch.Header{ID: id}, Holds: r.counterexample == nil, NoFairPath: r.noFairPath}
	if !a.Holds {
		stem, loop := r.counterexample.States()
		a.Counterexample = &ltlLasso{stem, loop}
		if r.described {
			a.Described = r.describe()
		}
	}
	return a
}

// describe describes the states of the counterexample.
func (r *ltlResult) describe() map[kripke.State]string {
	path := r.counterexample
	texts := map[kripke.State]string{path.Start: kripke.Text(r.system, path.Start)}
	for _, s := range path.Steps {
		texts[s.To] = kripke.Text(r.system, s.To)
	}
	return texts
}

// write writes the verdict as text, or draws the path.
func (r *ltlResult) write(w io.Writer) error {
	if r.dot {
		return r.draw(w)
	}
	return r.print(w)
}

// print writes the verdict and the path as text.
func (r *ltlResult) print(w io.Writer) error {
	path := r.counterexample
	switch {
	case r.noFairPath:
		_, err := fmt.Fprintln(w, "holds on all fair paths: there is none, so everything does")
		return err
	case path == nil:
		_, err := fmt.Fprintf(w, "holds on all paths: %s were looked at\n", r.looked)
		return err
	}
	p := &evidencePrinter{system: r.system, shown: map[kripke.State]bool{}}
	fmt.Fprintf(&p.text, "does not hold on a path that begins in %s\n", p.state(path.Start))
	p.path("  ", path.Start, path.Steps, path.Loop)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// draw draws the path. If the formula holds, there is none.
func (r *ltlResult) draw(w io.Writer) error {
	path := r.counterexample
	if path == nil {
		_, err := fmt.Fprintln(w, "// holds on all paths: there is nothing to draw\ndigraph {}")
		return err
	}
	p := &evidencePrinter{system: r.system}
	from := path.Start
	var states []kripke.State
	var moves []string
	for _, step := range path.Steps {
		states = append(states, from)
		moves = append(moves, p.move(from, step))
		from = step.To
	}
	_, err := io.WriteString(w, kripke.LassoDiagram(r.system, states, moves, path.Loop).DOT())
	return err
}
