package schedule

import (
	"encoding/binary"
	"iter"

	"github.com/antichain-go/antichain/tracer/op"
)

// visitLog are the visits of all tasks of a run, in the order of the operations. They are read
// rarely, and then from the beginning.
type visitLog struct {
	// chunks have up to three numbers for each visit: (1) the difference between its k and that of
	// the previous visit of its task, doubled, plus one if the previous visit was of another task;
	// (2) in that case, the difference of the two tasks; (3) the difference of the two places. The
	// numbers are varints, signed ones in zigzag. A loop visits few places, close to each other:
	// most visits take two to four bytes. No visit spans two chunks.
	chunks [][]byte
	task   op.Task // of the last visit
	last   []visit // by task
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

func (t *visitLog) add(task op.Task, v visit) {
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

// visitsOf yields the visits of a task.
func (t *visitLog) visitsOf(task op.Task) iter.Seq[visit] {
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

// next cuts a number off the front of a chunk.
func next(chunk *[]byte) int64 {
	x, n := binary.Varint(*chunk)
	*chunk = (*chunk)[n:]
	return x
}
