package unlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
)

// permits are what tasks have sent into the buffer of a channel that serves as a semaphore: each
// task receives as often as it has sent before, and more than one task has done so.
//
//	permits <- struct{}{}
//	if err := work(); err != nil {
//		return err
//	}
//	<-permits
//
// A task keeps a permit as it keeps a lock; see kept. A channel from which a task receives only if
// there is something is a list of free objects, and no semaphore: others may take what is left.
type permits struct {
	held    []state.Section
	gave    candidate.Mark // the last one that was given back, of kind None if none was
	several bool           // tasks have given some back
	none    bool           // the channel is no semaphore
}

// maxPermits bounds what is known of a semaphore.
const maxPermits = 64

func (k *kept) noteSend(o *op.Op) {
	p := k.permits.Ensure(o.Object)
	if o.Task == op.NoTask || len(p.held) == maxPermits {
		k.noSemaphore(p)
	}
	if !p.none {
		p.held = append(p.held, state.Section{Mark: candidate.MarkOf(o, op.Send), Free: o.Free})
	}
}

func (k *kept) noteReceive(o *op.Op) {
	p := k.permits.At(o.Object)
	if p == nil || p.none {
		return
	}
	i := slices.IndexFunc(p.held, func(s state.Section) bool { return s.Task == o.Task })
	if i < 0 {
		k.noSemaphore(p)
		return
	}
	s := p.held[i]
	p.held = slices.Delete(p.held, i, i+1)
	end := candidate.MarkOf(o, op.Recv)
	p.several = p.several || p.gave.Kind != op.None && p.gave.Task != o.Task
	p.gave = end
	k.noteSection(s.Mark, end)
}

// noteLook notes that a task looks whether there is something in channels.
func (k *kept) noteLook(o *op.Op) {
	if !o.HasDefault() {
		return
	}
	for _, c := range o.Cases {
		if !c.Send && c.Object != 0 {
			k.noSemaphore(k.permits.Ensure(c.Object))
		}
	}
}

// noSemaphore notes that a channel is none: others may receive what is sent on its lines.
func (k *kept) noSemaphore(p *permits) {
	for _, s := range p.held {
		if k.hasRoom() {
			k.lent[s.At] = true
		}
	}
	*p = permits{none: true}
}

// observePermits adds the permits that tasks have kept.
func (k *kept) observePermits(paths *paths, others bool) {
	for object, p := range k.permits.All() {
		for _, s := range p.held {
			if !p.several || s.Task == k.run.Left || !k.run.HasEnded(s.Task) {
				continue
			}
			if end := paths.behind(s.At); end.Kind != op.None {
				k.Observe(flaw(k.run.Objects.Ensure(object), &s, others), s.Mark, end, object)
			}
		}
	}
}
