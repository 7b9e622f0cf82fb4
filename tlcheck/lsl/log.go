package lsl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// EvalError reports that an expression of the specification is undefined in some local states
// because its evaluation fails. A variable that is not visible is no error.
type EvalError struct {
	Pos    spec.Pos
	Expr   string // the expression, printed
	Reason string // the first one that occurred
	Count  int    // of local states
}

func (e *EvalError) Error() string {
	return fmt.Sprintf("%d:%d: %s cannot be evaluated: %s", e.Pos.Line, e.Pos.Col, e.Expr, e.Reason)
}

// Log collects errors of evaluations. The zero Log is empty.
type Log struct {
	errors  map[spec.Pos]*EvalError
	gaveUp  string
	unseen  string // the last variable without a recorded value
	counted int    // number of faults
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

// Faults returns the number of faults; 0 for a nil Log.
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

// SnapshotLogs writes or restores the errors of several logs. It writes them as one list. On
// restoring, has reports whether a log may have an error: two logs may have errors at the same
// position if their formulas are from different files.
func SnapshotLogs(snap *snapshot.Codec, logs []*Log, has func(log int, e *EvalError) bool) {
	var all Log
	var errors []*EvalError
	for _, l := range logs {
		all.gaveUp, all.unseen, all.counted = cmp.Or(all.gaveUp, l.gaveUp), cmp.Or(all.unseen, l.unseen),
			all.counted+l.counted
		for _, e := range l.errors {
			errors = append(errors, e)
		}
	}
	slices.SortStableFunc(errors, func(x, y *EvalError) int { return compare(x.Pos, y.Pos) })
	position := func(p *spec.Pos) {
		snapshot.Int(snap, &p.Line)
		snapshot.Int(snap, &p.Col)
	}
	snapshot.Slice(snap, &errors, func(t **EvalError) {
		var at spec.Pos
		if *t != nil {
			at = (*t).Pos
		}
		position(&at)
		snapshot.Pointer(snap, t, func(t *EvalError) {
			position(&t.Pos)
			snap.String(&t.Expr)
			snap.String(&t.Reason)
			snapshot.Int(snap, &t.Count)
		})
	})
	snap.String(&all.gaveUp)
	snap.String(&all.unseen)
	snapshot.Int(snap, &all.counted)
	if !snap.Reading() || snap.Err() != nil {
		return
	}
	for _, e := range errors {
		addToFirst(snap, logs, e, has)
	}
	if len(logs) > 0 {
		l := logs[0]
		l.gaveUp, l.unseen, l.counted = all.gaveUp, all.unseen, all.counted
	}
}

// addToFirst adds an error to the first log that may have it and has no other at its position.
func addToFirst(snap *snapshot.Codec, logs []*Log, e *EvalError, has func(log int, e *EvalError) bool) {
	if e == nil {
		snap.Fail("there is no error where one was said to be")
		return
	}
	for i, l := range logs {
		if l.errors[e.Pos] == nil && has(i, e) {
			if l.errors == nil {
				l.errors = map[spec.Pos]*EvalError{}
			}
			l.errors[e.Pos] = e
			return
		}
	}
	snap.Fail("no formula has %s at %v", e.Expr, e.Pos)
}

// GaveUp returns why some evaluation was abandoned, or "". Then results of the others are no
// verdict.
func (l *Log) GaveUp() string { return l.gaveUp }

// EvalErrors returns the errors ordered by position.
func (l *Log) EvalErrors() []EvalError {
	ts := make([]EvalError, 0, len(l.errors))
	for _, t := range l.errors {
		ts = append(ts, *t)
	}
	slices.SortFunc(ts, func(a, b EvalError) int { return compare(a.Pos, b.Pos) })
	return ts
}

func compare(a, b spec.Pos) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}
