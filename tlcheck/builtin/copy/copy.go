// Package copy looks for copies of objects that have been used. A Mutex, RWMutex, WaitGroup, Cond
// or Once is known by its address. So a copy is another object, in the state of the first at that
// moment.
//
// An object that is written over is unused again, and so is one in memory that the heap reuses.
package copy

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports copies of locks and other objects that must not be copied after use.
var Rule = &rule.Rule{
	Name: "copy",
	Doc:  "reports copies of locks and other objects that must not be copied after use",
	Kinds: []op.Kind{
		op.Lock, op.RLock, op.Add, op.Wait, op.CondWait, op.Signal, op.Broadcast,
		op.Once, op.Copy, op.Free,
	},
	NeedsAccesses: true,
	New: func() rule.Detector {
		return &detector{Pairs: candidate.Pairs{Describe: describe, ByFirst: true}}
	},
}

type detector struct {
	candidate.Pairs // by where the copy is made: one lock of a copied value is enough
	run             *state.Run
	used            candidate.Objects[candidate.Mark] // the last use of each object
}

// Kinds of copies.
const (
	copyUsed candidate.Flaw = iota
	copyLocked
)

func (d *detector) ObserveState(r *state.Run) { d.run = r }

func (d *detector) Op(o *op.Op) {
	switch {
	case o.Kind == op.Free || o.Kind == op.Copy && o.Overwrites():
		d.used.Set(o.Object, nil)
	case o.Kind == op.Copy:
		d.copied(o)
	case o.Task != op.NoTask:
		*d.used.Ensure(o.Object) = candidate.MarkOf(o, o.Kind)
	}
}

func (d *detector) copied(o *op.Op) {
	used := d.used.At(o.Object)
	if used == nil || o.Task == op.NoTask {
		return
	}
	copied := candidate.MarkOf(o, op.Copy)
	p := d.Observe(copyUsed, copied, *used, o.Object)
	if p != nil && d.run.Objects.Ensure(o.Object).IsLocked() && p.Flaw == copyUsed { // that is worse
		p.Flaw, p.First, p.Second, p.Object = copyLocked, copied, *used, o.Object
	}
}
