// Programs whose goroutines access the same memory by ranges and by single bytes: "random" one after the
// other, as a seed has it, "together" at the same time, "crowd" more of them than a word has room for, "large"
// in large buffers. Statements say what is accessed. What brings an order about is not recorded. "heap" says how
// large the heap may be before it is collected.
package main

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:linkname ignore runtime.antichainIgnore
func ignore(delta int8)

//go:linkname forget runtime.antichainForget
func forget(addr, size uintptr)

const (
	statement = 23
	page      = 512 // of shadow memory
	tasks     = 3   // with main, as many as a word has cells
	crowd     = 8
)

// The buffer and what is read from it, by task.
var (
	buffer []byte
	read   [crowd + 1][]byte
)

// aligned returns n bytes at the begin of a page.
//
//go:norace
func aligned(n int) []byte {
	b := make([]byte, n+page)
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1)
	return b[skip:][:n:n]
}

// readRange and the like are the only ones that touch the buffer, each at one place. In functions that tell nothing
// they must not be inlined.
//
//go:noinline
func readRange(me, off, n int) { copy(read[me], buffer[off:off+n]) }

//go:noinline
func writeRange(me, off, n int) { copy(buffer[off:off+n], read[me]) }

//go:noinline
func readByte(me, off int) { read[me][0] = buffer[off] }

//go:noinline
func writeByte(me, off int) { buffer[off] = 1 }

//go:norace
func main() {
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil {
		panic(err)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range read {
		read[i] = make([]byte, size)
	}
	switch os.Args[1] {
	case "random":
		oneByOne(plan(random))
	case "together":
		for range 20 {
			together(random)
		}
	case "crowd":
		inTurn()
	case "heap":
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		os.Stdout.WriteString(strconv.FormatUint(m.NextGC, 10))
	case "large":
		large()
	}
}

// gate lets goroutines wait for each other. Nothing of that is recorded.
type gate struct{ n atomic.Int64 }

//go:norace
func (g *gate) wait(n int64) {
	for g.n.Load() < n {
		runtime.Gosched()
	}
}

//go:norace
func start(wg *sync.WaitGroup, n int, f func(me int)) {
	for me := range n {
		wg.Go(func() {
			ignore(1)
			f(me)
			ignore(-1)
		})
	}
}

// Accesses one by one.

const size = 8 * page

// The kinds of operations. Objects are forgotten when they are allocated.
const (
	opRead = iota
	opWrite
	opReadByte
	opWriteByte
	opForget
	opKinds
)

type operation struct{ kind, off, n int }

// turn is what a task does without another one in between, and without a record.
type turn struct {
	who int
	ops []operation
}

// plan has objects laid out in the buffer, again and again, which are allocated and accessed.
//
//go:norace
func plan(random *rand.Rand) []turn {
	var turns []turn
	for range 12 {
		objects := layout(random)
		allocated := make([]bool, len(objects))
		for range 25 {
			t := turn{who: random.IntN(tasks)}
			i := random.IntN(len(objects))
			for range 1 + random.IntN(4) {
				if random.IntN(2) == 0 {
					i = random.IntN(len(objects))
				}
				if !allocated[i] {
					allocated[i] = true
					t.ops = append(t.ops, operation{opForget, objects[i].off, objects[i].n})
				}
				t.ops = append(t.ops, access(random, objects[i]))
			}
			turns = append(turns, t)
		}
	}
	return turns
}

// layout divides the buffer.
//
//go:norace
func layout(random *rand.Rand) []operation {
	var objects []operation
	for off := 0; off < size; {
		n := 8 * (1 + random.IntN(300))
		switch random.IntN(3) {
		case 0:
			n = 8 * (1 + random.IntN(16))
		case 1:
			n = page * (1 + random.IntN(4))
		}
		n = min(n, size-off)
		objects = append(objects, operation{off: off, n: n})
		off += n
	}
	return objects
}

// access chooses an access to an object: to all of it but for some bytes at its end, always the same, some of it, or a byte.
//
//go:norace
func access(random *rand.Rand, o operation) operation {
	o.kind = random.IntN(2)
	switch random.IntN(6) {
	case 0:
		o.kind += opReadByte
		if random.IntN(2) == 0 { // near the end
			o.off += o.n - 1 - random.IntN(8)
		} else {
			o.off += random.IntN(o.n)
		}
		o.n = 1
	case 1, 2:
		skip := random.IntN(o.n)
		o.off += skip
		o.n = 1 + random.IntN(o.n-skip)
	default:
		if o.n > page/2 {
			o.n -= o.off / 8 % 8
		}
	}
	return o
}

//go:norace
func oneByOne(turns []turn) {
	buffer = aligned(size)
	var now gate
	var wg sync.WaitGroup
	start(&wg, tasks, func(me int) {
		for i, t := range turns {
			if t.who == me {
				now.wait(int64(i))
				t.do(me)
				now.n.Add(1)
			}
		}
	})
	wg.Wait()
}

//go:norace
func (t turn) do(me int) {
	base := uintptr(unsafe.Pointer(&buffer[0]))
	var said []byte
	for _, o := range t.ops {
		for _, v := range []int{o.kind, o.off, o.n} {
			said = binary.LittleEndian.AppendUint16(said, uint16(v))
		}
	}
	emit(statement, uint64(base), uint64(len(t.ops)), 0, said)
	for _, o := range t.ops {
		switch o.kind {
		case opRead:
			readRange(me, o.off, o.n)
		case opWrite:
			writeRange(me, o.off, o.n)
		case opReadByte:
			readByte(me, o.off)
		case opWriteByte:
			writeByte(me, o.off)
		case opForget:
			forget(base+uintptr(o.off), uintptr(o.n))
		}
	}
}

// together has tasks read all pages of a new buffer, at the same time and each in its own way. Of each page one byte
// is read by all of them, which main writes in the end.
//
//go:norace
func together(random *rand.Rand) {
	const pages = 500
	buffer = aligned(pages * page)
	var common [pages]int
	for p := range common {
		common[p] = p*page + random.IntN(page)&^7
		if random.IntN(2) == 0 {
			writeRange(tasks, p*page, page)
		}
	}
	var ready gate
	var wg sync.WaitGroup
	seed := random.Uint64()
	start(&wg, tasks, func(me int) {
		random := rand.New(rand.NewPCG(seed, uint64(me)))
		for p, at := range common {
			ready.n.Add(1)
			ready.wait(int64(p+1) * tasks)
			switch random.IntN(4) {
			case 0:
				readByte(me, at)
			case 1:
				readRange(me, at, (p+1)*page-at)
			default:
				readRange(me, p*page, page)
			}
		}
	})
	wg.Wait()
	for _, at := range common {
		emit(statement, uint64(uintptr(unsafe.Pointer(&buffer[at]))), 0, 0, nil)
		writeByte(tasks, at)
	}
}

// inTurn has a crowd read a page, one after the other, which main writes in the end.
//
//go:norace
func inTurn() {
	buffer = aligned(page)
	var now gate
	var wg sync.WaitGroup
	start(&wg, crowd, func(me int) {
		now.wait(int64(me))
		readRange(me, 0, page)
		now.n.Add(1)
	})
	wg.Wait()
	emit(statement, uint64(uintptr(unsafe.Pointer(&buffer[0]))), 0, 0, nil)
	writeRange(crowd, 0, page)
}

// large copies buffers of 64 MiB and says how much memory that took at most.
//
//go:norace
func large() {
	buffer = aligned(64 << 20)
	read[0] = aligned(64 << 20)
	for range 3 {
		readRange(0, 0, len(buffer))
		writeRange(0, 0, len(buffer))
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(status)
}
