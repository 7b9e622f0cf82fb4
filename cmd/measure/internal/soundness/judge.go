//go:build unix

package soundness

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// judgement is what is right and wrong in an observation.
type judgement struct {
	pairs   int // that antichain has reported
	kept    int // that it has reported in the order of the run's sections, where other orders are looked at, too
	doubted int // pairs that cannot be, and are only said to be possible in another order of sections
	certain int // findings that are observed, or predicted without an assumption
	assumed int // the others: they rest on an assumed branch, or on another order of locks
	unshown int // of those, that no interleaving shows
	wrong   []mistake
}

// mistake is something that antichain reports and that cannot be.
type mistake struct {
	kind string // "pair", "temporal", "stream", "lost", or the built-in property
	what string // the formula, or the text of the finding
	why  string
}

// unseen is the kind of a mistake of the interpreter, not of antichain: the run was in a place that
// it does not know.
const unseen = "interpreter"

// judge compares what antichain says with what a program can do.
func judge(p *built, r *interleaving.Reached, o *observation) *judgement {
	j := &judgement{pairs: len(o.pairs), kept: o.kept}
	for _, place := range o.places {
		if !r.Places[place] {
			j.wrong = append(j.wrong, mistake{unseen, fmt.Sprintf("at_%d(%d)", place.Mark, place.Value), "the run was there"})
		}
	}
	for pair, how := range o.pairs {
		switch {
		case r.Pairs[pair]:
		case how == builtin.Reordered.String():
			j.doubted++
		default:
			j.wrong = append(j.wrong, mistake{"pair", formula(pair), how + ", but in no interleaving are goroutines in both places at the same time"})
		}
	}
	for _, pair := range o.temporal {
		j.wrong = append(j.wrong, mistake{"temporal", formula(pair), "initially: henceforth of it has another verdict"})
	}
	for _, pair := range o.lost {
		j.wrong = append(j.wrong, mistake{"lost", formula(pair),
			"the order of the run's sections shows it, and it is not reported in all orders of them"})
	}
	for _, pair := range o.streamed {
		j.wrong = append(j.wrong, mistake{"stream", formula(pair), "it has another verdict on-the-fly"})
	}
	for i := range o.findings {
		j.finding(p, r, &o.findings[i], o.names)
	}
	slices.SortFunc(j.wrong, func(a, b mistake) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.what, b.what))
	})
	return j
}

// finding judges a finding of a built-in property.
func (j *judgement) finding(p *built, r *interleaving.Reached, f *builtin.Finding, names op.Names) {
	why := refute(p, r, f, names)
	if f.Guess != nil || f.How == builtin.Reordered || f.How == builtin.Following {
		j.assumed++
		if why != "" {
			j.unshown++
		}
		return
	}
	j.certain++
	if why != "" {
		j.wrong = append(j.wrong, mistake{string(f.Property), f.Text, f.How.String() + ", but " + why})
	}
}

// refute says why a finding cannot be, or "" if some interleaving shows it. Of a party inside the
// standard library the statement may not be known; then it is any.
func refute(p *built, r *interleaving.Reached, f *builtin.Finding, names op.Names) string {
	var at []*program.Stmt
	for _, party := range f.Parties {
		if s := p.statement(names.Place(party.At)); s != nil {
			at = append(at, s)
		}
	}
	switch f.Property {
	case builtin.Deadlock, builtin.Stuck:
		if !r.Stuck(at) {
			return "in no interleaving these goroutines wait there for ever"
		}
		return ""
	case builtin.WaitGroup:
		for _, a := range at {
			for _, b := range at {
				if a.Object == b.Object && isAdd(a) && b.Op == program.Wait && r.AddMeetsWait(a, b) {
					return ""
				}
			}
		}
	}
	for failure := range r.Failures {
		if len(at) < len(f.Parties) || slices.Contains(at, failure.At) {
			return ""
		}
	}
	return "no interleaving fails there"
}

// isAdd reports whether a statement adds to a WaitGroup.
func isAdd(s *program.Stmt) bool { return s.Op == program.Add || s.Op == program.Go && s.Object >= 0 }

// statement is the one at a place, or the one whose call has led there.
func (p *built) statement(at op.Location) *program.Stmt {
	positions := []string{at.At}
	for _, frame := range at.Stack {
		positions = append(positions, frame.At)
	}
	for _, position := range positions {
		if line, ok := strings.CutPrefix(position, mainFile+":"); ok {
			if n, err := strconv.Atoi(line); err == nil && p.at[n] != nil {
				return p.at[n]
			}
		}
	}
	return nil
}
