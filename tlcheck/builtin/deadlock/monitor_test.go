package deadlock

import (
	"cmp"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// inOrder numbers operations, and sets what their tasks know: in the order of the run all that came
// before, and else what the go statements came after.
func inOrder(ops []op.Op) []op.Op {
	numbers, started := map[op.Task]int32{}, map[op.Task]*clock.Clock{}
	var all *clock.Clock
	for i := range ops {
		o := &ops[i]
		numbers[o.Task]++
		o.K, o.At = numbers[o.Task], cmp.Or(o.At, op.Place(i+1))
		own := started[o.Task].With(int32(o.Task), o.K-1)
		o.Free, o.Data, o.Before, o.BeforeData = own, own, own, own
		o.Begin, o.Full = all, all
		all = all.With(int32(o.Task), o.K)
		if o.Kind == op.Go {
			started[o.Other] = own.With(int32(o.Task), o.K)
		}
	}
	return ops
}

// noNames has no names.
type noNames struct{}

func (noNames) Task(op.Task) op.Origin     { return op.Origin{} }
func (noNames) Object(op.Object) string    { return "" }
func (noNames) Place(op.Place) op.Location { return op.Location{} }

// Two tasks take locks 1 and 2 in different orders. The first one then locks 3, and the second one
// has locked 3 before. If the first signals a Cond, the second may have gone on only for that.
func TestMonitors(t *testing.T) {
	const a, b, mu, cond, channel = 1, 2, 3, 4, 5
	do := func(task op.Task, kind op.Kind, object op.Object) op.Op {
		return op.Op{Kind: kind, Task: task, Other: op.NoTask, Object: object}
	}
	section := func(task op.Task, object op.Object, within ...op.Op) []op.Op {
		return slices.Concat([]op.Op{do(task, op.Lock, object)}, within, []op.Op{do(task, op.Unlock, object)})
	}
	nested := func(task op.Task, outer, inner op.Object) []op.Op {
		at := op.Place(100 * task)
		all := section(task, outer, section(task, inner)...)
		all[0].At, all[1].At = at+1, at+2
		return all
	}
	again := section(1, mu) // at one place, however often
	again[0].At = 99
	start := []op.Op{{Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2}}
	first, second, signal := nested(1, a, b), nested(2, b, a), []op.Op{do(1, op.Signal, cond)}
	changes, awaits := section(1, mu), section(2, mu)
	reads := []op.Op{do(2, op.RLock, mu), do(2, op.RUnlock, mu)}
	sent := []op.Op{{Kind: op.MakeChan, Task: 1, Other: op.NoTask, Object: channel, Arg: 1}, do(1, op.Send, channel)}
	broadcast := do(1, op.Broadcast, cond)
	const reordered, possible = rule.Reordered, rule.Possible
	type run [][]op.Op
	for name, test := range map[string]struct {
		run  run
		want rule.Certainty
	}{
		"no signal":                   {run{first, changes, awaits, second}, reordered},
		"a signal in the section":     {run{first, section(1, mu, signal...), awaits, second}, possible},
		"a broadcast in the section":  {run{first, section(1, mu, broadcast), awaits, second}, possible},
		"a signal behind the section": {run{first, changes, signal, awaits, second}, possible},
		"a signal after all that":     {run{first, changes, awaits, second, signal}, possible},
		"a message is on its way":     {run{first, sent, changes, signal, awaits, second}, possible},
		"a reader comes later":        {run{first, changes, signal, reads, second}, possible},
		"a signal is not recorded":    {run{again, signal, first, again, awaits, second}, possible},
		"another section before it":   {run{first, changes, section(1, 6), signal, awaits, second}, reordered},
		"the other order":             {run{awaits, first, changes, signal, second}, reordered},
		"a section behind the locks":  {run{first, changes, signal, second, awaits}, reordered},
		"a section before the locks":  {run{changes, signal, first, awaits, second}, reordered},
		"a second time, without":      {run{first, changes, signal, awaits, second, first, second}, reordered},
	} {
		ops := inOrder(slices.Concat(append(run{start}, test.run...)...))
		d, h := Rule.New().(*reporter), reorder.New()
		h.LeaveOff()
		d.Reorders(h)
		for i := range ops {
			kindFilter{d.Detector}.Op(&ops[i])
		}
		found := d.Findings(noNames{})
		if len(found) != 1 || found[0].How != test.want || (len(found[0].Notes) == 1) != (test.want == possible) {
			t.Errorf("%s: %+v, want one that is %v", name, found, test.want)
		}
	}
}
