package schedule

import (
	"encoding/binary"
	"iter"

	"github.com/antichain-go/antichain/tracer/op"
)

// tracks are where the tasks of a run have been: the visits of all of them, in the order in which they were told. They are read hardly
// ever, and then from the beginning.
type tracks struct {
	// chunks have up to three numbers for each visit: how much its k is above that of the visit of its task before, doubled, and one more
	// if that was of another task; how much that task is above the other one; how much the place is above the one before. They are in
	// codings of variable length, of which the signed ones are in zigzag. A loop goes to few places, close to each other, so that a visit
	// mostly takes two to four bytes. No visit is in two chunks.
	chunks [][]byte
	task   op.Task // of the last visit
	last   []visit // by tasks
}

// visit is an operation of a task.
type visit struct {
	k  int32
	at op.Place
}

const (
	chunkSize = 1 << 14
	maxStep   = 3 * binary.MaxVarintLen64
)

func (t *tracks) add(task op.Task, v visit) {
	for int(task) >= len(t.last) {
		t.last = append(t.last, visit{})
	}
	if n := len(t.chunks); n == 0 || cap(t.chunks[n-1])-len(t.chunks[n-1]) < maxStep {
		t.chunks = append(t.chunks, make([]byte, 0, chunkSize))
	}
	last, chunk := &t.last[task], &t.chunks[len(t.chunks)-1]
	step := (int64(v.k) - int64(last.k)) * 2
	if task != t.task {
		step++
	}
	*chunk = binary.AppendVarint(*chunk, step)
	if task != t.task {
		*chunk = binary.AppendVarint(*chunk, int64(task)-int64(t.task))
	}
	*chunk = binary.AppendVarint(*chunk, int64(v.at)-int64(last.at))
	t.task, *last = task, v
}

// of yields the visits of a task.
func (t *tracks) of(task op.Task) iter.Seq[visit] {
	return func(yield func(visit) bool) {
		var v visit
		var of op.Task
		for _, chunk := range t.chunks {
			for len(chunk) > 0 {
				step := next(&chunk)
				if step&1 != 0 {
					of += op.Task(next(&chunk))
				}
				place := next(&chunk)
				if of != task {
					continue
				}
				v = visit{v.k + int32(step>>1), v.at + op.Place(place)}
				if !yield(v) {
					return
				}
			}
		}
	}
}

// next takes a number from the beginning of a chunk.
func next(chunk *[]byte) int64 {
	x, n := binary.Varint(*chunk)
	*chunk = (*chunk)[n:]
	return x
}
