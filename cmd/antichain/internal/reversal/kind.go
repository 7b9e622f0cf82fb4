package reversal

import "github.com/antichain-go/antichain/tracer/op"

// role is what an operation does at its object.
type role uint8

const (
	sending role = 1 + iota
	receiving
	closing
	tryingToSend // a select statement with a default case
	tryingToReceive
	locking
	readLocking
	loading
	storing
	adding // to the counter of a WaitGroup
	waiting
	condWaiting
	signalling
	selecting // goes on with some case of a select statement
)

// roles maps the kinds of operations that have one role at one object. A Handoff has two.
var roles = map[op.Kind]role{
	op.Send: sending, op.Recv: receiving, op.RecvClosed: receiving, op.Close: closing,
	op.Lock: locking, op.RLock: readLocking, op.AtomicLoad: loading, op.AtomicStore: storing,
	op.Add: adding, op.Wait: waiting, op.CondWait: condWaiting, op.Signal: signalling, op.Broadcast: signalling,
}

// kinds maps roles to kinds of steps in a schedule.
var kinds = map[role]op.Kind{
	sending: op.Send, receiving: op.Recv, closing: op.Close, tryingToSend: op.Select, tryingToReceive: op.Select,
	locking: op.Lock, readLocking: op.RLock, loading: op.AtomicLoad, storing: op.AtomicStore,
	adding: op.Add, waiting: op.Wait, condWaiting: op.CondWait, signalling: op.Signal,
	selecting: op.Select,
}

// kind says what the two operations of a pair compete for. Pairs are tried in this order.
type kind uint8

const (
	none       kind = iota
	forChannel      // the order of what goes through it, or whether it is closed before
	forChoice       // whether a select statement takes its default, or which case
	forLock
	forAtomic
	forWaiters // of a WaitGroup or Cond
	forTimer   // whether a select statement goes on by a timer
)

// conflicts returns what two operations at one object compete for: none if their order is not a
// choice, or changes nothing.
func conflicts(a, b role) kind {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == sending && (b == sending || b == closing), a == receiving && b == receiving:
		return forChannel
	case b == tryingToSend && (a == receiving || a == closing), b == tryingToReceive && (a == sending || a == closing):
		return forChoice
	case a == locking && (b == locking || b == readLocking):
		return forLock
	case a == loading && b == storing, a == storing && b == storing:
		return forAtomic
	case a == adding && b == waiting, a == condWaiting && b == signalling:
		return forWaiters
	}
	return none
}

// rivals returns what two operations compete for at different channels for which one select
// statement waits.
func rivals(a, b role) kind {
	if (a == sending || a == closing) && (b == sending || b == closing) {
		return forChoice
	}
	return none
}
