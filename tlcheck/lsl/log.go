package lsl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// EvalError says that an expression of the specification is undefined in some local states because it cannot be
// evaluated there. A variable that is not visible is no error.
type EvalError struct {
	Pos    spec.Pos
	Expr   string // what has no value, printed
	Reason string // the first one met there
	Count  int    // of local states
}

func (e *EvalError) Error() string {
	return fmt.Sprintf("%d:%d: %s cannot be evaluated: %s", e.Pos.Line, e.Pos.Col, e.Expr, e.Reason)
}

// Log collects what evaluations could not do. The zero Log is empty.
type Log struct {
	errors  map[spec.Pos]*EvalError
	gaveUp  string
	unseen  string // a variable that had no value to look at; the last one
	counted int    // faults
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
	if l.errors == nil {
		l.errors = map[spec.Pos]*EvalError{}
	}
	t := l.errors[f.pos]
	if t == nil {
		t = &EvalError{Pos: f.pos, Expr: spec.FormatExpr(f.expr), Reason: f.reason}
		l.errors[f.pos] = t
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

// Snapshot writes what was collected, or reads it.
func (l *Log) Snapshot(snap *snapshot.Codec) {
	compare := func(x, y spec.Pos) int { return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col)) }
	position := func(p *spec.Pos) {
		snapshot.Int(snap, &p.Line)
		snapshot.Int(snap, &p.Col)
	}
	snapshot.Map(snap, &l.errors, compare, position, func(t **EvalError) {
		snapshot.Pointer(snap, t, func(t *EvalError) {
			position(&t.Pos)
			snap.String(&t.Expr)
			snap.String(&t.Reason)
			snapshot.Int(snap, &t.Count)
		})
	})
	snap.String(&l.gaveUp)
	snap.String(&l.unseen)
	snapshot.Int(snap, &l.counted)
}

// GaveUp returns why some evaluation was not carried out, or "". What follows from
// the others is then not a verdict.
func (l *Log) GaveUp() string { return l.gaveUp }

// EvalErrors returns the places by position.
func (l *Log) EvalErrors() []EvalError {
	ts := make([]EvalError, 0, len(l.errors))
	for _, t := range l.errors {
		ts = append(ts, *t)
	}
	slices.SortFunc(ts, func(a, b EvalError) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return ts
}
