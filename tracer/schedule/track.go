package schedule

import (
	"encoding/binary"
	"iter"

	"github.com/antichain-go/antichain/tracer/op"
)

// track is where a task has been: its visits in the order in which they were told.
type track struct {
	// steps are two numbers for each visit: how much its k and its place are above those of the visit before, in zigzag coding of
	// variable length. A loop visits few places, close to each other, so that this mostly takes two or three bytes.
	steps []byte
	last  visit
}

// visit is an operation of a task.
type visit struct {
	k  int32
	at op.Place
}

func (t *track) add(v visit) {
	t.steps = binary.AppendVarint(t.steps, int64(v.k)-int64(t.last.k))
	t.steps = binary.AppendVarint(t.steps, int64(v.at)-int64(t.last.at))
	t.last = v
}

// visits yields all visits. A nil track has none.
func (t *track) visits() iter.Seq[visit] {
	return func(yield func(visit) bool) {
		if t == nil {
			return
		}
		var v visit
		for rest := t.steps; len(rest) > 0; {
			k, n := binary.Varint(rest)
			at, m := binary.Varint(rest[n:])
			rest = rest[n+m:]
			v = visit{v.k + int32(k), v.at + op.Place(at)}
			if !yield(v) {
				return
			}
		}
	}
}
