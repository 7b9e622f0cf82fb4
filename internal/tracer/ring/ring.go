package ring

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Options of a ring.
type Options struct {
	Slots int // number of slots, a power of two; 0 is DefaultSlots

	// Busy is the time that the reading goroutine may pass without reading, for instance in the
	// function given to Poll. After it the heartbeat stops, and the program continues untraced. 0
	// is a minute.
	Busy time.Duration

	// Records that Consume has taken out of the ring and not delivered wait in memory, up to Memory
	// bytes (0 is 64 MiB), and beyond that in a file in the first of SpillDirs that is on a disk,
	// up to SpillMax bytes (0 is 4 GiB). Then the program waits.
	Memory    int
	SpillDirs []string
	SpillMax  int64

	// InStep makes the program wait for the reading goroutine at the sites of its specification;
	// see FollowInStep.
	InStep bool

	// Exact makes it wait after each of its records, unless it holds a resource of the runtime
	// there. It is for InStep.
	Exact bool

	// Operations asks for the kinds of records that the built-in properties need besides; see
	// FlagOperations, and Identity.Operations.
	Operations bool

	// Seed, if it is not 0, steers the schedule of the program, which runs its goroutines one at a
	// time. Another seed is another schedule; the same one is the same, as far as the program is
	// deterministic. It requires hooks that know Operations.
	Seed  uint64
	Draws Draws // how the schedule of a seed is drawn

	// Early bounds how many deadlines pass early in a steered schedule: before a goroutine that can
	// go on. Of these WithoutEarly leaves out those whose bits are set, the lowest for the first.
	// The highest bit is EarlyPace.
	Early        int
	WithoutEarly uint32

	// Yields, if it is not 0, decides at which operations goroutines yield, in a schedule that is
	// not steered. The same number makes the same outcome likely, not certain: the rest of the
	// schedule is left to chance.
	Yields uint64

	// Schedule, if it is not nil, is an order that the program keeps.
	Schedule *Schedule

	// Linger is the time that the main goroutine waits at most, before it ends the program, for
	// goroutines that can still run. It requires Operations.
	Linger time.Duration

	// Accesses asks for memory accesses; see FlagMemory, and Identity.Accesses.
	Accesses bool

	// Quits says that SIGQUIT from the terminal is for the consumer; see FlagQuits.
	Quits bool

	// Atomics asks for every atomic operation, even if it adds nothing to the order; see
	// FlagAtomics.
	Atomics bool

	// NewFromPools says that an object from a Pool counts as a new one where it can; see
	// FlagNewFromPools.
	NewFromPools bool

	// LateLoads says that a load which teaches its goroutine nothing is of interest only once
	// another goroutine stores; see FlagLateLoads.
	LateLoads bool

	// Between, unless it is nil, is called by Follow on its goroutine after each batch of records,
	// and again and again if there are none.
	Between func()

	// Control asks the program to listen for a checker; see package internal/tracer/control.
	Control bool
}

// Draws say how a steered schedule is drawn; see package internal/tracer/strategy.
type Draws struct {
	Rule, Depth uint32
	Steps       uint64  // how many are expected
	Counts      *Counts // which of them count; nil if that is not known
}

// DefaultSlots make a ring of 8 MiB.
const DefaultSlots = 1 << 17

// DefaultSize is the size of a ring of DefaultSlots in bytes.
const DefaultSize = HeaderSize + DefaultSlots*SlotSize

const (
	minSlots  = MaxExtra + 1 // the longest record must fit; a power of two
	beatEvery = 100 * time.Millisecond
	batch     = 1024 // records between two moves of the consumption counter
)

// Ring is a ring file and the consumer of it. Its methods are for one goroutine, unless they say
// otherwise.
type Ring struct {
	path   string
	mem    []byte // the mapping
	counts []byte // the part of it behind the schedule
	cursor cursor
	opt    Options

	// taking is held by Follow, and by its relief, while they take records out of the ring or put
	// them into the queue.
	taking     sync.Mutex
	queue      *queue
	given      uint64        // value of the consumption counter
	behind     uint64        // slots that were reserved and not read at the last look
	unreadable error         // why relief has ended early
	wake       chan struct{} // makes relief look at the ring
	resting    bool          // relief hardly looks by itself; see relieveIdle
	// Follow delivers the records that it has found, and does not look meanwhile
	delivers bool

	direct  direct       // reused
	idle    int          // calls of pause since there were many records
	waited  atomic.Int64 // nanoseconds; see Waited
	stopped atomic.Bool  // by Stop

	alive atomic.Int64 // UnixNano of the last sign of life from the reading goroutine
	stop  chan struct{}
	beats sync.WaitGroup

	mapped sync.Mutex // held by Halt, and by Close while it removes the mapping

	closed struct { // the values that stay after Close
		done     bool
		err      error
		stats    Stats
		identity Identity
		progress Progress
	}
}

// Create makes a ring file of a new name in dir, which should be private, and maps
// it. The traced program finds it through the environment: see Env.
func Create(dir string, opt Options) (*Ring, error) {
	opt.Slots, opt.Busy = cmp.Or(opt.Slots, DefaultSlots), cmp.Or(opt.Busy, time.Minute)
	opt.Memory, opt.SpillMax = cmp.Or(opt.Memory, 64<<20), cmp.Or(opt.SpillMax, 4<<30)
	if opt.Slots < minSlots || opt.Slots > MaxSlots || opt.Slots&(opt.Slots-1) != 0 {
		return nil, fmt.Errorf("ring of %d slots: the number must be a power of two from "+
			"%d to %d", opt.Slots, minSlots, MaxSlots)
	}
	f, err := createFile(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the mapping stays
	r := &Ring{path: f.Name(), opt: opt, stop: make(chan struct{}), wake: make(chan struct{}, 1)}
	err = r.init(f)
	if err == nil {
		r.queue, err = newQueue(opt)
	}
	if err != nil {
		os.Remove(r.path)
		return nil, err
	}
	r.alive.Store(time.Now().UnixNano())
	r.beats.Go(r.beat)
	return r, nil
}

// init sizes, fills and maps a new file. It writes the header before it maps the file: on a disk,
// the first page that is touched in a mapping costs the starting program a millisecond or two.
func (r *Ring) init(f *os.File) error {
	slots, schedule := HeaderSize+r.opt.Slots*SlotSize, r.opt.Schedule.encode()
	schedule = append(schedule, make([]byte, -len(schedule)&7)...) // counts are aligned
	counts := r.opt.Draws.Counts.encode()
	size := slots + len(schedule) + len(counts)
	err := allocate(f, int64(size))
	if err == nil {
		_, err = f.WriteAt(r.opt.header(len(schedule), len(counts)), 0)
	}
	if err == nil {
		_, err = f.WriteAt(slices.Concat(schedule, counts), int64(slots))
	}
	if err == nil {
		r.mem, err = mapFile(f, size)
	}
	if err != nil {
		return fmt.Errorf("ring file %s: %w", r.path, err)
	}
	r.cursor.slots, r.cursor.n = r.mem[HeaderSize:slots], uint64(r.opt.Slots)
	r.counts = r.mem[slots+len(schedule):]
	return nil
}

// header is the header of a new ring with so many bytes of a schedule and of counts.
func (o *Options) header(schedule, counts int) []byte {
	h := make([]byte, HeaderSize)
	binary.LittleEndian.PutUint64(h[OffMagic:], Magic)
	binary.LittleEndian.PutUint32(h[OffVersion:], Version)
	binary.LittleEndian.PutUint32(h[OffMode:], ModeWrap)
	binary.LittleEndian.PutUint64(h[OffSlots:], uint64(o.Slots))
	binary.LittleEndian.PutUint64(h[OffSeed:], o.Seed)
	binary.LittleEndian.PutUint32(h[OffEarlyMost:], uint32(min(max(o.Early, 0), MaxEarly)))
	binary.LittleEndian.PutUint32(h[OffEarlySkip:], o.WithoutEarly)
	binary.LittleEndian.PutUint32(h[OffRule:], o.Draws.Rule)
	binary.LittleEndian.PutUint32(h[OffDepth:], o.Draws.Depth)
	binary.LittleEndian.PutUint64(h[OffSteps:], o.Draws.Steps)
	binary.LittleEndian.PutUint64(h[OffYields:], o.Yields)
	binary.LittleEndian.PutUint64(h[OffSchedule:], uint64(schedule))
	binary.LittleEndian.PutUint64(h[OffCounts:], uint64(counts))
	binary.LittleEndian.PutUint64(h[OffLinger:], uint64(max(o.Linger, 0)))
	flags := uint32(FlagOn)
	for _, f := range []struct {
		on   bool
		flag uint32
	}{{o.InStep, FlagStep}, {o.Operations, FlagOperations}, {o.Accesses, FlagMemory}, {o.Atomics, FlagAtomics},
		{o.Control, FlagControl}, {o.Quits, FlagQuits}, {o.NewFromPools, FlagNewFromPools},
		{o.LateLoads, FlagLateLoads}} {
		if f.on {
			flags |= f.flag
		}
	}
	binary.LittleEndian.PutUint32(h[OffFlags:], flags)
	if o.Exact {
		binary.LittleEndian.PutUint32(h[OffHalt:], HaltStep)
	}
	return h
}

// EnvRing names the ring file in the environment of the traced program, which removes it before any
// other code runs. EnvTrace names a file to be written by a program that runs without a consumer.
const (
	EnvRing  = "ANTICHAIN_RING"
	EnvTrace = "ANTICHAIN_TRACE"
)

// Env is the entry to add to the environment of the traced program.
func (r *Ring) Env() string { return EnvRing + "=" + r.path }

func (r *Ring) Path() string { return r.path }

// Identity returns what the traced program has reported about itself so far. PID stays 0 if it was
// not built for tracing or could not map the ring.
func (r *Ring) Identity() Identity {
	if r.closed.done {
		return r.closed.identity
	}
	return identity(r.mem[:HeaderSize])
}

// Stats returns the counts so far.
func (r *Ring) Stats() Stats {
	if r.closed.done {
		return r.closed.stats
	}
	s := r.cursor.stats
	s.Lost, s.Forgot = atomic.LoadUint64(r.word64(OffLost)), atomic.LoadUint32(r.word32(OffForgot)) != 0
	s.Passed = r.passed()
	s.Steps, s.Goroutines = atomic.LoadUint64(r.word64(OffMade)), atomic.LoadUint64(r.word64(OffGoroutines))
	s.Notes = notes(r.counts)
	return s
}

// Left reports whether the program has ended by returning from main or os.Exit. If it has not, it
// was killed or has crashed, or it still runs.
func (r *Ring) Left() bool { return r.HowLeft() != 0 }

// HowLeft returns one of Left..., and 0 where Left reports false.
func (r *Ring) HowLeft() uint32 { return atomic.LoadUint32(r.word32(OffLeft)) }

// IsAbandoned reports whether the program has given up waiting for this process, and continues
// untraced. It may be called on any goroutine at any time.
func (r *Ring) IsAbandoned() bool {
	lost := false
	err := r.command(OffLost, func(word *uint32) { lost = atomic.LoadUint32(word) > 0 })
	return err == nil && lost
}

// ErrTruncated means that the ring file was shortened under the mapping.
var ErrTruncated = errors.New("the ring file was truncated while it was being read")

// ErrScribbled means that the program seems to have reserved more slots than its threads can have.
var ErrScribbled = errors.New("the program wrote to memory that is not its own, and shared memory makes no sense: " +
	"look for unsafe code and C in it")

// maxWaiting bounds the slots that producers can have reserved beyond the size of the ring: a
// thread waits with one record.
const maxWaiting = 1 << 22

// Poll calls yield for the published records, at most limit (0: no limit), until it returns false,
// and gives their slots back. It does not wait. It returns the number of delivered records.
//
// A slot that is reserved and not published holds up those behind it, for as long as the process
// lives. Its thread may not have run for long: the machine is busy, or a signal or a debugger has
// stopped it.
func (r *Ring) Poll(limit int, yield func(*Record) bool) (n int, err error) {
	defer r.guard(&err)()
	for more := true; more && (limit <= 0 || n < limit); {
		most := batch
		if limit > 0 {
			most = min(batch, limit-n)
		}
		var found int
		found, more = r.take(most, yield)
		n += found
		r.giveBack()
		r.alive.Store(time.Now().UnixNano())
		if err := r.plausible(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// take calls yield for at most limit of the published records and gives nothing back. It reports
// whether there may be more that are wanted.
func (r *Ring) take(limit int, yield func(*Record) bool) (n int, more bool) {
	for senseless := uint64(0); n < limit; {
		switch r.cursor.peek() {
		case unpublishedSlot:
			return n, false
		case senselessSlot:
			// Skipped only if a producer has passed it, and not more than once
			// around: the header may be scribbled on as well.
			reserved := atomic.LoadUint64(r.word64(OffProd)) &^ ClosedBit
			if senseless++; senseless > r.cursor.n || r.cursor.next >= reserved {
				return n, false
			}
			r.cursor.stats.Corrupt++
			r.cursor.next++
			continue
		}
		rec, ok := r.cursor.record()
		if !ok {
			continue
		}
		n++
		if !yield(rec) {
			return n, false
		}
	}
	return n, true
}

// Close lets the traced program continue untraced, if it still runs, and removes the file.
func (r *Ring) Close() error {
	if r.closed.done {
		return r.closed.err
	}
	atomic.StoreUint32(r.word32(OffFlags), 0)
	atomic.StoreUint32(r.word32(OffHalt), 0) // including a Halt that was never completed
	r.answer(0)
	close(r.stop)
	r.beats.Wait()
	r.closed.progress = r.Progress()
	r.mapped.Lock()
	defer r.mapped.Unlock()
	r.closed.stats = r.Stats()
	r.closed.identity = r.Identity()
	r.closed.err = errors.Join(unmap(r.mem), os.Remove(r.path), r.queue.close())
	r.mem, r.counts, r.cursor.slots, r.queue = nil, nil, nil, nil
	r.closed.done = true
	return r.closed.err
}

// Halt asks every goroutine of the program to stop at its next record. That is the quick part of
// halting; package internal/tracer/control has the rest, and resumes the program. Halt may be
// called on any goroutine at any time.
func (r *Ring) Halt() error {
	return r.command(OffHalt, func(halt *uint32) { atomic.OrUint32(halt, HaltNow) })
}

// TakeInterrupts says which process handles interrupts from the terminal, which reach the whole
// foreground group: this one, while the program ignores them, or the program. It may be called on
// any goroutine at any time.
func (r *Ring) TakeInterrupts(ours bool) error {
	return r.command(OffFlags, func(flags *uint32) {
		if atomic.AndUint32(flags, ^uint32(FlagInterrupts)); ours {
			atomic.OrUint32(flags, FlagInterrupts)
		}
	})
}

// Written returns how many slots the program has taken for records so far. Those that it writes
// from now on have at least that index. It may be called on any goroutine at any time.
func (r *Ring) Written() (slots uint64) {
	_ = r.command(OffProd, func(*uint32) { slots = atomic.LoadUint64(r.word64(OffProd)) &^ ClosedBit })
	return slots
}

// command changes a word that the program reads, or reads one that it changes.
func (r *Ring) command(off int, change func(word *uint32)) (err error) {
	r.mapped.Lock()
	defer r.mapped.Unlock()
	if r.mem == nil {
		return errors.New("the program is no longer traced")
	}
	recovers := r.faults(&err)
	defer func() { recovers(recover()) }()
	change(r.word32(off))
	return nil
}

// measure notes how far behind the cursor is.
func (r *Ring) measure() {
	reserved := atomic.LoadUint64(r.word64(OffProd)) &^ ClosedBit
	r.behind = max(reserved, r.cursor.next) - r.cursor.next
}

// look measures, and returns an error as Poll does. It is no sign of life.
func (r *Ring) look() (err error) {
	recovers := r.faults(&err)
	defer func() { recovers(recover()) }()
	r.measure()
	return r.plausible()
}

// giveBack moves the consumption counter.
func (r *Ring) giveBack() {
	r.measure()
	if was := r.given; was != r.cursor.next {
		r.given = r.cursor.next
		atomic.StoreUint64(r.word64(OffCons), r.given)
		r.answer(was)
	}
}

// plausible returns ErrScribbled if the production counter, as giveBack has measured it, cannot be
// right.
func (r *Ring) plausible() error {
	if r.behind > r.cursor.n+maxWaiting {
		return ErrScribbled
	}
	return nil
}

// guard turns a fault in the mapping into ErrTruncated, and notes for the heartbeat that the
// reading goroutine is at work.
func (r *Ring) guard(err *error) func() {
	recovers := r.faults(err)
	r.alive.Store(time.Now().UnixNano())
	return func() {
		r.alive.Store(time.Now().UnixNano())
		recovers(recover())
	}
}

// faults turns a fault in the mapping into ErrTruncated. The returned function receives the
// recovered value.
func (r *Ring) faults(err *error) func(p any) {
	old := debug.SetPanicOnFault(true)
	return func(p any) {
		debug.SetPanicOnFault(old)
		if p == nil {
			return
		}
		if !r.faulted(p) {
			panic(p)
		}
		*err = ErrTruncated
	}
}

// faulted reports whether p is a fault at an address of the mapping.
func (r *Ring) faulted(p any) bool {
	fault, ok := p.(interface{ Addr() uintptr })
	base := uintptr(unsafe.Pointer(&r.mem[0]))
	return ok && fault.Addr()-base < uintptr(len(r.mem))
}

// beat moves the heartbeat as long as the reading goroutine reads.
func (r *Ring) beat() {
	debug.SetPanicOnFault(true)
	defer func() {
		if p := recover(); p != nil && !r.faulted(p) {
			panic(p)
		}
	}()
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			return
		case now := <-tick.C:
			if now.UnixNano()-r.alive.Load() < int64(r.opt.Busy) {
				atomic.AddUint64(r.word64(OffBeat), 1)
			}
		}
	}
}

func (r *Ring) word64(off int) *uint64 { return (*uint64)(unsafe.Pointer(&r.mem[off])) }
func (r *Ring) word32(off int) *uint32 { return (*uint32)(unsafe.Pointer(&r.mem[off])) }

// createFile makes a file that did not exist, in dir.
func createFile(dir string) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(filepath.Join(dir, randomName()), os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free name for a ring file in %s", dir)
}
