package unfolding

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Run makes a run that goes on at random.
func (t *toy) Run(prefix []Taken) (Run, error) {
	w := t.world()
	var r Run
	random := rand.New(rand.NewPCG(1, uint64(len(prefix))))
	for {
		steps := w.enabled()
		if len(steps) == 0 {
			break
		}
		step := steps[random.IntN(len(steps))]
		if n := len(r.Steps); n < len(prefix) {
			step = prefix[n].Step
			if !slices.Contains(steps, step) {
				return r, fmt.Errorf("step %v is not possible", step)
			}
		}
		taken := Taken{Step: step, Operation: w.operation(int(step.Goroutine))}
		if step.Partner != Alone {
			taken.Received = w.operation(int(step.Partner))
		}
		r.Steps = append(r.Steps, taken)
		w.do(step)
	}
	r.Blocked = map[Goroutine]Operation{}
	for g := range t.threads {
		if op := w.operation(g); op.Kind != End {
			r.Blocked[Goroutine(g)] = op
		}
	}
	return r, nil
}

var kinds = map[word]Kind{
	lock: Lock, unlock: Unlock, tryLock: TryLock,
	announce: Announce, acquire: Acquire, tryWriteLock: TryWriteLock, writeUnlock: WriteUnlock,
	readLock: ReadLock, tryReadLock: TryReadLock, readUnlock: ReadUnlock,
	enlist: Enlist, wake: Wake, signal: Signal, broadcast: Broadcast, do: Do, doEnds: DoEnds,
	load: Load, store: Store, addTo: Store, start: Start, count: Add, wait: Wait,
	send: Communicate, receive: Communicate, selectCases: Communicate, closeChannel: Close, length: Length,
}

func (w *world) operation(g int) Operation {
	l := w.line(g)
	if l == nil {
		return Operation{}
	}
	op := Operation{Kind: kinds[l.op], Default: l.dflt}
	switch op.Kind {
	case Lock, Unlock, TryLock:
		op.Object = Object(l.on)
	case Announce, Acquire, TryWriteLock, WriteUnlock, ReadLock, TryReadLock, ReadUnlock:
		op.Object = rwMutexesFrom
	case Enlist, Wake, Signal, Broadcast:
		op.Object = condsFrom
	case Do, DoEnds:
		op.Object = oncesFrom
	case Load, Store:
		op.Object = Object(atomicsFrom + l.on)
	case Close, Length:
		op.Object = Object(channelsFrom + l.on)
	case Add:
		op.Object, op.Delta = countersFrom, l.val
	case Wait:
		op.Object = countersFrom
	case Start:
		op.Starts = Goroutine(l.on)
	case Communicate:
		for _, c := range l.cases() {
			op.Cases = append(op.Cases, Case{
				Send: c.Send, Channel: channelsFrom + c.Channel, Capacity: w.toy.capacity[c.Channel],
			})
		}
	}
	return op
}

func (t *toy) initial() (all []Goroutine) {
	for g, started := range t.started {
		if started {
			all = append(all, Goroutine(g))
		}
	}
	return all
}
