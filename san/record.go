package san

import (
	"math"

	"github.com/antichain-go/antichain/tracer/event"
)

// record is an event as the net keeps it: 16 bytes. Rarely used fields are in the task's words.
type record struct {
	site  uint32 // number of its site
	obj   uint32 // string number of obj
	clock clock  // events known of other tasks; the count of the event's own task may lag behind
	more  uint32 // index+1 into the task's words, 0 for none
}

// site has the strings, by number, that the events of one place in the program share.
type site struct{ op, at, enter, exit uint32 }

// ref names an event by the handle of its task.
type ref struct {
	h handle
	k int32
}

// handle numbers tasks in the order in which the trace first mentions them. A task gets its Task
// number when it is created, which may be later.
type handle int32

// The words of an event stand in this order, each part only if its flag is set:
//
//	flags
//	handle of the spawned task               hasSpawn
//	(handle, k)                              hasCause
//	n, n × (handle, k)                       hasCauses
//	n, n × (variable, value)                 hasSet, hasGlobal, hasWrite
const (
	hasSpawn = 1 << iota
	hasCause
	hasCauses
	hasSet
	hasGlobal
	hasWrite
	isJoint // takes no words: task.joints has the sides
)

// maxWords bounds the words of one task so that indexes fit.
const maxWords = math.MaxUint32 - 1

// A value is one word with its kind, and for most kinds one or two more words. wide marks an
// integer of two words.
const (
	wide      = 0x80
	valueKind = 0x7f
)

// addBindings appends the number of bindings and the bindings.
func (n *Net) addBindings(words []uint32, bs []event.Binding) []uint32 {
	words = append(words, uint32(len(bs)))
	for i := range bs {
		words = append(words, n.vars.id(bs[i].Name))
		words = n.addValue(words, bs[i].Value)
	}
	return words
}

func (n *Net) addValue(words []uint32, v event.Value) []uint32 {
	kind := v.Kind()
	switch kind {
	case event.Bool:
		if v.Bool() {
			return append(words, uint32(kind), 1)
		}
		return append(words, uint32(kind), 0)
	case event.Int:
		if i := v.Int(); i == int64(int32(i)) {
			return append(words, uint32(kind), uint32(i))
		}
		return append(words, uint32(kind)|wide, uint32(v.Uint()), uint32(v.Uint()>>32))
	case event.Uint:
		return append(words, uint32(kind)|wide, uint32(v.Uint()), uint32(v.Uint()>>32))
	case event.Float:
		bits := math.Float64bits(v.Float())
		return append(words, uint32(kind)|wide, uint32(bits), uint32(bits>>32))
	case event.String, event.List, event.Object:
		n.values = append(n.values, v)
		n.weight += v.Size()
		return append(words, uint32(kind), uint32(len(n.values)-1))
	}
	return append(words, uint32(event.Null))
}

// value decodes the value at words[i] and returns the index after it.
func (n *Net) value(words []uint32, i uint32) (event.Value, uint32) {
	kind := event.Kind(words[i] & valueKind)
	if kind == event.Null {
		return event.NullValue(), i + 1
	}
	low := words[i+1]
	if words[i]&wide == 0 {
		switch kind {
		case event.Bool:
			return event.BoolValue(low != 0), i + 2
		case event.Int:
			return event.IntValue(int64(int32(low))), i + 2
		}
		return n.values[low], i + 2
	}
	bits := uint64(low) | uint64(words[i+2])<<32
	switch kind {
	case event.Int:
		return event.IntValue(int64(bits)), i + 3
	case event.Uint:
		return event.UintValue(bits), i + 3
	}
	return event.FloatValue(math.Float64frombits(bits)), i + 3
}

// parts gives access to the parts of an event's words.
type parts struct {
	flags  uint32
	spawn  handle
	causes []uint32 // pairs (handle, k)
	rest   uint32   // index of the first list of bindings, or of the end
}

func (t *task) parts(r *record) parts {
	if r.more == 0 {
		return parts{}
	}
	i := r.more - 1
	p := parts{flags: t.words[i], spawn: -1}
	i++
	if p.flags&hasSpawn != 0 {
		p.spawn = handle(t.words[i])
		i++
	}
	switch {
	case p.flags&hasCause != 0:
		p.causes = t.words[i : i+2]
		i += 2
	case p.flags&hasCauses != 0:
		n := t.words[i]
		p.causes = t.words[i+1 : i+1+2*n]
		i += 1 + 2*n
	}
	p.rest = i
	return p
}

// refs iterates over the causes.
func (p *parts) refs(yield func(ref) bool) {
	for i := 0; i < len(p.causes); i += 2 {
		if !yield(ref{handle(p.causes[i]), int32(p.causes[i+1])}) {
			return
		}
	}
}

// bindings calls bind for each variable of the list at words[i] and returns the index after the
// list.
func (n *Net) bindings(words []uint32, i uint32, bind func(variable uint32, v event.Value)) uint32 {
	count := words[i]
	i++
	for range count {
		name := words[i]
		var v event.Value
		v, i = n.value(words, i+1)
		bind(name, v)
	}
	return i
}

// Bytes returns the approximate memory of the builder and its net, in time proportional to the
// number of tasks.
func (b *Builder) Bytes() int {
	const perTask, perGroup, perWaiting, perGone, perStandIn = 500, 200, 60, 28, 56
	n := b.n
	bytes := len(n.handles)*perTask + len(n.order)*4 + len(n.sides)*8 + int(n.clocks.size)*5 +
		len(b.groups)*perGroup + b.waiting*perWaiting + len(b.forgotten)*perGone + len(b.standIns)*perStandIn +
		n.weight +
		n.strs.bytes + n.names.bytes + n.vars.bytes
	for _, t := range n.handles {
		bytes += cap(t.records)*16 + cap(t.words)*4 + cap(t.joints)*8
	}
	return bytes
}
