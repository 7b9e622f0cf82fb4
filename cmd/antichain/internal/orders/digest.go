package orders

import "github.com/antichain-go/antichain/tracer/op"

// Digest is an op.Watcher that distinguishes the partial orders of runs: two runs with the same one
// have the same sum, whichever of its interleavings they are. The zero value is ready.
type Digest struct {
	tasks   map[op.Task]uint64
	objects map[op.Object]*history
	sum     uint64
}

// history is what was done on an object.
type history struct {
	last   uint64 // the last operation that does not commute
	behind uint64 // those after it, in any order
}

// Op implements op.Watcher.
func (d *Digest) Op(o *op.Op) {
	if o.Task == op.NoTask || !hasOrder[o.Kind] {
		return
	}
	if d.tasks == nil {
		d.tasks, d.objects = make(map[op.Task]uint64), make(map[op.Object]*history)
	}
	past := mix(d.tasks[o.Task], uint64(o.Kind)<<1)
	if o.Kind == op.Handoff && o.Other != op.NoTask {
		past = mix(past, d.tasks[o.Other])
	}
	past = d.at(o, past)
	d.sum += past
	d.tasks[o.Task] = past
	if (o.Kind == op.Handoff || o.Kind == op.Go) && o.Other != op.NoTask {
		d.tasks[o.Other] = mix(past, 1)
	}
}

// at returns the past of an operation with what has come before it at its object.
func (d *Digest) at(o *op.Op, past uint64) uint64 {
	if o.Object == 0 || o.Kind == op.Go {
		return past
	}
	h := d.objects[o.Object]
	if h == nil {
		h = new(history)
		d.objects[o.Object] = h
	}
	past = mix(past, h.last)
	if commutes[o.Kind] {
		h.behind += past
		return past
	}
	past = mix(past, h.behind)
	h.last, h.behind = past, 0
	return past
}

// Sum returns the sum of the operations so far.
func (d *Digest) Sum() uint64 { return d.sum }

// hasOrder are the kinds whose order makes one run differ from another.
var hasOrder = map[op.Kind]bool{
	op.Go: true, op.Send: true, op.Recv: true, op.Handoff: true, op.Close: true, op.RecvClosed: true, op.Select: true,
	op.Lock: true, op.Unlock: true, op.RLock: true, op.RUnlock: true, op.Add: true, op.Done: true, op.Wait: true,
	op.CondWait: true, op.Signal: true, op.Broadcast: true, op.Once: true, op.AtomicLoad: true, op.AtomicStore: true,
}

// commutes are those of them that change nothing for each other.
var commutes = map[op.Kind]bool{
	op.RLock: true, op.RUnlock: true, op.AtomicLoad: true, op.Add: true, op.Done: true, op.RecvClosed: true,
}

// mix puts two numbers together, as the finalizer of SplitMix64 (Steele, Lea, Flood, 2014) does.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
