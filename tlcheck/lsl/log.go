package lsl

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/internal/archive"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Trouble is a place in the specification where expressions were undefined because
// they could not be evaluated, not because a variable was not visible.
type Trouble struct {
	Pos    spec.Pos
	Expr   string // what has no value, printed
	Reason string // the first one met there
	Count  int    // of local states
}

// Log collects what evaluations could not do. The zero Log is empty.
type Log struct {
	troubles map[spec.Pos]*Trouble
	gaveUp   string
	unseen   string // a variable that had no value to look at; the last one
	counted  int    // faults
}

func (l *Log) count(f *fault) {
	if l == nil {
		return
	}
	l.counted++
	if f.unseen {
		l.unseen = f.reason
		return
	}
	if l.troubles == nil {
		l.troubles = map[spec.Pos]*Trouble{}
	}
	t := l.troubles[f.pos]
	if t == nil {
		t = &Trouble{Pos: f.pos, Expr: spec.FormatExpr(f.expr), Reason: f.reason}
		l.troubles[f.pos] = t
	}
	t.Count++
}

// Faults returns how many were counted; none without a log.
func (l *Log) Faults() int {
	if l == nil {
		return 0
	}
	return l.counted
}

func (l *Log) giveUp(reason string) {
	if l != nil {
		l.gaveUp = reason
	}
}

// Archive writes what was collected, or reads it.
func (l *Log) Archive(a *archive.Archive) {
	compare := func(x, y spec.Pos) int { return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col)) }
	position := func(p *spec.Pos) {
		archive.Int(a, &p.Line)
		archive.Int(a, &p.Col)
	}
	archive.Map(a, &l.troubles, compare, position, func(t **Trouble) {
		archive.Pointer(a, t, func(t *Trouble) {
			position(&t.Pos)
			a.String(&t.Expr)
			a.String(&t.Reason)
			archive.Int(a, &t.Count)
		})
	})
	a.String(&l.gaveUp)
	a.String(&l.unseen)
	archive.Int(a, &l.counted)
}

// GaveUp returns why some evaluation was not carried out, or "". What follows from
// the others is then not a verdict.
func (l *Log) GaveUp() string { return l.gaveUp }

// Troubles returns the places by position.
func (l *Log) Troubles() []Trouble {
	ts := make([]Trouble, 0, len(l.troubles))
	for _, t := range l.troubles {
		ts = append(ts, *t)
	}
	slices.SortFunc(ts, func(a, b Trouble) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return ts
}
