package reorder

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// entryKind is the kind of an entry of the log.
type entryKind uint8

const (
	entryAcquire entryKind = iota // begins section
	entryRelease                  // ends section
	entryGo                       // starts child
	entryRead                     // reads: after operation k of the task
)

// entry is an operation, or a read between two of them.
type entry struct {
	kind    entryKind
	k       int32
	task    *task
	data    *clock.Clock // that the task knows then, without what it reads
	section *section
	child   *task
	read    *read
}

// before returns what comes before the entry.
func (e *entry) before() *clock.Clock {
	if e.kind == entryRead {
		return e.read.after()
	}
	return e.data
}

// entries is a queue of entries. They do not move in memory, which is reused after they are
// dropped.
type entries struct {
	segments []*segment             // only the last one has room
	spare    freelist.List[segment] // empty
	count    int
}

const segmentSize = 1 << 9

type segment struct {
	entries    [segmentSize]entry
	first, end int // of those in use
}

func (q *entries) push(e entry) {
	n := len(q.segments)
	if n == 0 || q.segments[n-1].end == segmentSize {
		q.segments = append(q.segments, q.spare.Get())
		n++
	}
	s := q.segments[n-1]
	s.entries[s.end] = e
	s.end++
	q.count++
}

// drop removes the first n entries, and calls each for them.
func (q *entries) drop(n int, each func(*entry)) {
	q.count -= n
	gone := 0
	for n > 0 {
		s := q.segments[gone]
		first := s.entries[s.first:min(s.end, s.first+n)]
		for i := range first {
			each(&first[i])
		}
		clear(first)
		n -= len(first)
		if s.first += len(first); s.first == s.end {
			s.first, s.end = 0, 0
			q.spare.Put(s)
			gone++
		}
	}
	q.segments = slices.Delete(q.segments, 0, gone)
}

// all yields the entries in order.
func (q *entries) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, s := range q.segments {
			for i := s.first; i < s.end; i++ {
				if !yield(&s.entries[i]) {
					return
				}
			}
		}
	}
}
