package schedule

import (
	"encoding/binary"
	"iter"

	"github.com/antichain-go/antichain/tracer/op"
)

// visitLog are the visits of all tasks of a run, in the order of the operations. They are read
// rarely, and then from the beginning.
type visitLog struct {
	// chunks have up to four numbers for each visit: (1) the difference between its k and that of
	// the previous visit of its task, times four, plus one if the previous visit was of another
	// task, and two if the object is another one than at the previous visit of its task; (2) in the
	// first case, the difference of the two tasks; (3) in the second case, that of the two objects;
	// (4) the difference of the two places. The numbers are varints, signed ones in zigzag. A loop
	// visits few places, close to each other: most visits take two to four bytes. No visit spans
	// two chunks.
	chunks [][]byte
	task   op.Task // of the last visit
	last   []visit // by task
}

// visit is an operation of a task.
type visit struct {
	k      int32
	at     op.Place
	object op.Object
}

const (
	chunkSize = 1 << 14
	maxStep   = 4 * binary.MaxVarintLen64
)

// Bits of the first number.
const (
	otherTask   = 1
	otherObject = 2
)

func (t *visitLog) add(task op.Task, v visit) {
	for int(task) >= len(t.last) {
		t.last = append(t.last, visit{})
	}
	if n := len(t.chunks); n == 0 || cap(t.chunks[n-1])-len(t.chunks[n-1]) < maxStep {
		t.chunks = append(t.chunks, make([]byte, 0, chunkSize))
	}
	last, chunk := &t.last[task], &t.chunks[len(t.chunks)-1]
	step := (int64(v.k) - int64(last.k)) * 4
	if task != t.task {
		step |= otherTask
	}
	if v.object != last.object {
		step |= otherObject
	}
	*chunk = binary.AppendVarint(*chunk, step)
	if step&otherTask != 0 {
		*chunk = binary.AppendVarint(*chunk, int64(task)-int64(t.task))
	}
	if step&otherObject != 0 {
		*chunk = binary.AppendVarint(*chunk, int64(v.object)-int64(last.object))
	}
	*chunk = binary.AppendVarint(*chunk, int64(v.at)-int64(last.at))
	t.task, *last = task, v
}

// visitsOf yields the visits of a task.
func (t *visitLog) visitsOf(task op.Task) iter.Seq[visit] {
	return func(yield func(visit) bool) {
		var last visit
		var of op.Task
		for _, chunk := range t.chunks {
			for len(chunk) > 0 {
				step := next(&chunk)
				if step&otherTask != 0 {
					of += op.Task(next(&chunk))
				}
				v := visit{last.k + int32(step>>2), last.at, last.object}
				if step&otherObject != 0 {
					v.object += op.Object(next(&chunk))
				}
				v.at += op.Place(next(&chunk))
				if of != task {
					continue
				}
				if last = v; !yield(v) {
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
