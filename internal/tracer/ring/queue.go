package ring

import "errors"

// queue holds records that were taken out of the ring and wait to be delivered: in memory up to a
// bound, beyond it in a file. Its parts, from the oldest record to the newest:
//
//	reading   what Next reads
//	waiting   chunks in memory
//	spilled   chunks in the file
//	filling   what put appends to
//
// So a chunk goes to the file if there is one in it already.
//
// One goroutine may call delivered and next while another one calls put and room. All other methods
// are for one at a time.
type queue struct {
	packer, unpacker packing

	reading []byte // the rest of the oldest chunk
	read    []byte // the whole of that chunk
	waiting fifo[[]byte]
	spilled spill
	filling []byte // has room for a record, unless full
	full    bool   // filling is full, and there is no room elsewhere

	memory []byte   // of all chunks that may be made; only used chunks take real memory
	free   [][]byte // chunks not in use
	ended  bool     // nothing more is put; unused chunks give back their real memory
	chunks int      // made so far
	most   int      // that may be made

	rec Record
}

const (
	chunkSize = 256 << 10
	minChunks = 2 // one to read, one to fill
)

func newQueue(opt Options) (*queue, error) {
	q := &queue{most: max(opt.Memory/chunkSize, minChunks)}
	// Not on the heap: allocating there may have to wait for the garbage collector.
	var err error
	if q.memory, err = mapMemory(q.most * chunkSize); err != nil {
		return nil, err
	}
	q.spilled = spill{most: opt.SpillMax, open: func() (spillFile, error) { return openSpill(opt.SpillDirs) }}
	q.read, q.filling = q.chunk(), q.chunk()
	return q, nil
}

// chunk returns an empty chunk, nil if that would be one too many.
func (q *queue) chunk() []byte {
	if n := len(q.free); n > 0 {
		c := q.free[n-1]
		q.free = q.free[:n-1]
		return c
	}
	if q.chunks == q.most {
		return nil
	}
	at := q.chunks * chunkSize
	q.chunks++
	return q.memory[at : at : at+chunkSize]
}

// put takes a copy of r. It reports whether there is room for another record; if not, the
// caller waits until room says so.
func (q *queue) put(r *Record) bool {
	q.filling = q.packer.append(q.filling, r)
	if len(q.filling) <= chunkSize-packedMax {
		return true
	}
	q.full = true
	return q.room()
}

// room makes room for a record if it can.
func (q *queue) room() bool {
	if !q.full {
		return true
	}
	if q.spilled.empty() {
		if c := q.chunk(); c != nil {
			q.waiting.push(q.filling)
			q.filling, q.full = c, false
			return true
		}
	}
	if !q.spilled.put(q.filling) {
		return false
	}
	q.filling, q.full = q.filling[:0], false
	return true
}

// delivered reports whether next has returned all records of the oldest chunk.
func (q *queue) delivered() bool { return len(q.reading) == 0 }

// next returns the oldest record of the oldest chunk, which has not been delivered. It is valid
// until the next call of next or advance.
func (q *queue) next() *Record {
	q.reading = q.unpacker.cut(q.reading, &q.rec)
	return &q.rec
}

// advance moves to the next chunk and reports whether there is one. An error means that the file
// could not be read.
func (q *queue) advance() (bool, error) {
	switch {
	case q.waiting.len() > 0:
		q.leave(q.read)
		q.read = q.waiting.pop()
	case !q.spilled.empty():
		var err error
		if q.read, err = q.spilled.next(q.read[:0]); err != nil {
			return false, err
		}
	case len(q.filling) > 0:
		q.read, q.filling, q.full = q.filling, q.read[:0], false
	default:
		return false, nil
	}
	q.reading = q.read
	return true, nil
}

// leave takes back a chunk that is no longer used.
func (q *queue) leave(c []byte) {
	if q.ended {
		releaseMemory(c[:cap(c)])
	}
	q.free = append(q.free, c[:0])
}

// end says that nothing more is put. The remaining records need no more chunks than there are, and
// their processing takes memory elsewhere.
func (q *queue) end() {
	q.ended = true
	for _, c := range q.free {
		releaseMemory(c[:cap(c)])
	}
}

// close removes the file, and gives the memory back.
func (q *queue) close() error { return errors.Join(q.spilled.close(), unmap(q.memory)) }

// fifo is a queue of values.
type fifo[T any] struct {
	values []T
	first  int // of those still in the queue
}

func (f *fifo[T]) len() int { return len(f.values) - f.first }

func (f *fifo[T]) push(v T) { f.values = append(f.values, v) }

func (f *fifo[T]) pop() T {
	v := f.values[f.first]
	f.first++
	if f.first*2 >= len(f.values) {
		n := copy(f.values, f.values[f.first:])
		clear(f.values[n:])
		f.values, f.first = f.values[:n], 0
	}
	return v
}

func (q *queue) empty() bool {
	return len(q.reading) == 0 && q.waiting.len() == 0 && q.spilled.empty() && len(q.filling) == 0
}
