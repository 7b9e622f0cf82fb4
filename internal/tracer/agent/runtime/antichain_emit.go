//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// States of antichainOn.
const (
	antichainOff      = 0 // not traced
	antichainWriting  = 1
	antichainDropping = 2 // the consumer has died: count records instead of writing them
)

// The variables that a hook reads. antichainOn is set last; the rest does not change afterwards,
// except for antichainLimit.
var (
	// antichainOn is one of the states. Package sync/atomic reads it.
	//
	//go:linkname antichainOn
	antichainOn uint32

	antichainHeader unsafe.Pointer // the mapping
	antichainSlots  unsafe.Pointer // its slot 0
	antichainMask   uint64         // slot of an index; all ones in append mode

	// Indexes below antichainLimit may be written without a look at the consumer's counter. Keeping
	// it here spares the hooks the consumer's cache line.
	antichainLimit uint64

	// Return addresses in this range lie in package runtime and say nothing about
	// the program.
	antichainTextLo, antichainTextHi uintptr

	antichainCtxs atomic.Uint64 // contexts handed out so far
)

// antichainSlot is a head slot.
type antichainSlot struct {
	seq  uint64
	word uint64
	addr uint64
	aux  uint64
	pc   [antichainPCs]uint64
	arg  uint64
}

// The layout above is the one of package ring, or this does not compile.
var (
	_ [antichainSlotSize]struct{} = [unsafe.Sizeof(antichainSlot{})]struct{}{}
	_ [antichainOffWord]struct{}  = [unsafe.Offsetof(antichainSlot{}.word)]struct{}{}
	_ [antichainOffAddr]struct{}  = [unsafe.Offsetof(antichainSlot{}.addr)]struct{}{}
	_ [antichainOffAux]struct{}   = [unsafe.Offsetof(antichainSlot{}.aux)]struct{}{}
	_ [antichainOffPC]struct{}    = [unsafe.Offsetof(antichainSlot{}.pc)]struct{}{}
	_ [antichainOffArg]struct{}   = [unsafe.Offsetof(antichainSlot{}.arg)]struct{}{}
)

//go:nosplit
func antichainWord64(off uintptr) *uint64 { return (*uint64)(add(antichainHeader, off)) }

//go:nosplit
func antichainWord32(off uintptr) *uint32 { return (*uint32)(add(antichainHeader, off)) }

// antichainNewCtx hands out the next context. The main goroutine is the first to
// get one.
//
//go:nosplit
func antichainNewCtx() uintptr { return uintptr(antichainCtxs.Add(1)) }

// antichainSelf is the context on whose behalf the caller runs. It is 0 if the caller's
// synchronisation is not recorded: for runtime and agent goroutines, signal handlers, and between
// race.Disable and race.Enable.
//
//go:nosplit
func antichainSelf() uintptr {
	gp := getg()
	if gp.m == nil || gp == gp.m.gsignal {
		return 0
	}
	if gp == gp.m.g0 && gp.racectx == 0 {
		// A system stack, in the service of a goroutine. While a timer function
		// runs on it, g0 has a context of its own (see unlockAndRun).
		gp = gp.m.curg
		if gp == nil {
			return 0
		}
	}
	if gp.raceignore != 0 {
		return 0
	}
	return gp.racectx
}

// antichainRecord writes a record of the caller, if it is to be recorded.
//
//go:nosplit
func antichainRecord(kind uint64, addr, aux, arg uintptr) {
	if antichainOn == antichainOff {
		return
	}
	if ctx := antichainSelf(); ctx != 0 {
		antichainPut(kind, ctx, addr, aux, arg, getg(), getfp())
	}
}

// antichainSync writes a record of the caller, if it is to be recorded, about an address that
// goroutines synchronise on and the object that the program sees.
//
//go:nosplit
func antichainSync(kind uint64, addr, object, op uintptr) {
	if antichainOn == antichainOff {
		return
	}
	ctx := antichainSelf()
	if ctx == 0 {
		return
	}
	antichainUse(addr)
	if object != addr {
		antichainUse(object)
	}
	antichainPut(kind, ctx, addr, object, op, getg(), getfp())
	if antichainMemory {
		antichainTouchSync(object, op)
	}
}

// antichainPut writes a record without payload. The return addresses are those on
// the stack of gp from frame fp outward, without the ones in the runtime.
//
//go:nosplit
func antichainPut(kind uint64, ctx, addr, aux, arg uintptr, gp *g, fp uintptr) {
	index, ok := antichainReserve(1)
	if !ok {
		return
	}
	s := antichainHead(index)
	s.word = kind<<antichainKindShift | uint64(ctx)
	s.addr = uint64(addr)
	s.aux = uint64(aux)
	s.arg = uint64(arg)
	antichainCallers(s, gp, fp)
	antichainPublish(s, index)
}

//go:nosplit
func antichainHead(index uint64) *antichainSlot {
	return (*antichainSlot)(add(antichainSlots, uintptr(index&antichainMask)*antichainSlotSize))
}

// antichainPublish hands a filled slot to the consumer. It comes last in a hook: if the program is
// to be halted, or the goroutine held, it stops here.
//
//go:nosplit
func antichainPublish(s *antichainSlot, index uint64) {
	if antichainMemory || antichainLateLoads {
		antichainCount(s)
	}
	antichainNews(s)
	if m := getg().m; antichainLateLoads && m != nil && m.curg != nil {
		antichainHasRecorded(m.curg, s.word>>antichainKindShift == antichainKindBlock)
	}
	atomic.StoreRel64(&s.seq, index+1)
	if antichainScheduled {
		antichainKeepRecord(s)
	}
	switch halt := atomic.Load(antichainWord32(antichainOffHalt)); {
	case halt == 0:
	// it stands still anyway
	case halt == antichainHaltNow && s.word>>antichainKindShift == antichainKindBlock:
	default:
		antichainStop(index + 1)
	}
}

// antichainPutPC writes a record with the one return address pc.
//
//go:nosplit
func antichainPutPC(kind uint64, ctx, addr, aux, arg, pc uintptr) {
	antichainPutPCs(kind, ctx, addr, aux, arg, &[antichainPCs]uint64{uint64(pc)})
}

// antichainPutPCs writes a record with these return addresses.
//
//go:nosplit
func antichainPutPCs(kind uint64, ctx, addr, aux, arg uintptr, pcs *[antichainPCs]uint64) {
	index, ok := antichainReserve(1)
	if !ok {
		return
	}
	s := antichainHead(index)
	s.word = kind<<antichainKindShift | uint64(ctx)
	s.addr = uint64(addr)
	s.aux = uint64(aux)
	s.arg = uint64(arg)
	s.pc = *pcs
	antichainPublish(s, index)
}

// antichainCallers fills in the return addresses of a head slot.
//
//go:nosplit
func antichainCallers(s *antichainSlot, gp *g, fp uintptr) {
	for n := antichainWalk(s.pc[:], gp, fp); n < antichainPCs; n++ {
		s.pc[n] = 0
	}
}

// antichainWalk puts return addresses into pcs, innermost first, and returns how many. It walks
// frame pointers, and reads only inside the stack of gp, which is either the caller's own or that
// of a parked goroutine that cannot move.
//
//go:nosplit
func antichainWalk(pcs []uint64, gp *g, fp uintptr) (n int) {
	text, size := antichainTextLo, antichainTextHi-antichainTextLo
	below, hi := gp.stack.lo-1, gp.stack.hi-2*8 // a frame is above the one before it
	for uint(n) < uint(len(pcs)) && fp > below && fp <= hi && fp&7 == 0 {
		if pc := *(*uintptr)(unsafe.Pointer(fp + 8)); pc-text >= size {
			pcs[n] = uint64(pc)
			n++
		}
		below, fp = fp, *(*uintptr)(unsafe.Pointer(fp))
	}
	return n
}

// antichainReserve takes n consecutive indexes. The addition is the point at which the record gets
// its place in the order of the trace. With ok false the record is dropped.
//
// From here until the record is published the caller must not be preempted: when the ring is full,
// the others, which cannot be, would wait for it on all processors. So it calls only nosplit
// functions, since goroutines are preempted at stack checks.
//
//go:nosplit
func antichainReserve(n uint64) (first uint64, ok bool) {
	if antichainOn != antichainWriting {
		antichainDrop()
		return 0, false
	}
	end := atomic.Xadd64(antichainWord64(antichainOffProd), int64(n))
	if end <= atomic.Load64(&antichainLimit) {
		return end - n, true
	}
	return end - n, antichainWait(end)
}

// antichainDrop counts a record that is not written.
//
//go:nosplit
func antichainDrop() {
	if antichainOn == antichainDropping {
		atomic.Xadd64(antichainWord64(antichainOffLost), 1)
	}
}

// antichainWait waits until all indexes below end may be written and reports whether that happened.
//
//go:nosplit
func antichainWait(end uint64) bool {
	if end > antichainClosedBit {
		return false // antichainExit ran; the process is about to end
	}
	if antichainFile.append {
		return antichainGrow(end)
	}
	return antichainWaitConsumer(end)
}

// A consumer is given up when its heartbeat has not moved for antichainPatience nanoseconds and
// antichainNaps naps. Time alone would give it up after a stop of the whole process group (job
// control, a debugger), which stops both sides and resumes this one first; naps alone are cut short
// by signals.
const (
	antichainPatience = 2e9
	antichainNaps     = 1000
)

// antichainPulse watches the heartbeat of the consumer.
type antichainPulse struct {
	beat  uint64
	since int64 // when beat was seen first, 0 for not yet
	naps  int   // since then
}

// stopped is called after each nap, and reports whether the consumer is given up.
//
//go:nosplit
func (p *antichainPulse) stopped() bool {
	p.naps++
	now := nanotime1()
	if b := atomic.Load64(antichainWord64(antichainOffBeat)); b != p.beat || p.since == 0 {
		*p = antichainPulse{beat: b, since: now}
	}
	return p.naps >= antichainNaps && now-p.since >= antichainPatience
}

// watch is called after each nap, and gives the consumer up that has stopped.
//
//go:nosplit
func (p *antichainPulse) watch() {
	if p.stopped() {
		antichainGiveUp()
	}
}

//go:nosplit
func antichainWaitConsumer(end uint64) bool {
	var pulse antichainPulse
	for round := 0; ; round++ {
		// With a correct consumer this is the only wait. One that gives back too much makes us
		// overwrite slots it has not read, which it notices.
		limit := atomic.Load64(antichainWord64(antichainOffCons)) + antichainMask + 1
		if end <= limit {
			atomic.Store64(&antichainLimit, limit)
			return true
		}
		if antichainOn != antichainWriting {
			antichainDrop()
			return false
		}
		if atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagOn == 0 {
			antichainOn = antichainOff // the consumer has ended the trace
			return false
		}
		switch {
		case round < 20:
			procyield(30)
			continue
		case round < 40:
			osyield()
			continue
		case round < 100:
			usleep(50)
		default:
			usleep(1000)
		}
		if pulse.stopped() {
			antichainGiveUp()
			antichainDrop()
			return false
		}
	}
}

const antichainGoneText = "antichain: the antichain process is gone or does not respond; the program continues untraced\n"

var antichainGoneSaid uint32

// antichainGiveUp ends the trace for want of a consumer.
//
//go:nosplit
func antichainGiveUp() {
	antichainOn = antichainDropping
	antichainSayGone()
}

// antichainSayGone reports once that the trace ends here, since the consumer cannot.
//
//go:nosplit
func antichainSayGone() {
	if atomic.Cas(&antichainGoneSaid, 0, 1) {
		antichainSay(antichainGoneText)
	}
}

// antichainSay writes a line to standard error. It is one write, which keeps other output from
// coming in between.
//
//go:nosplit
func antichainSay(text string) {
	write1(2, unsafe.Pointer(unsafe.StringData(text)), int32(len(text)))
}

// antichainParent is the process that started the program: the consumer. It is 0 if that came
// later.
var antichainParent uintptr

// antichainOrphan is 1 while it is open whether a checker is still alive whose connection has ended
// without a farewell.
var antichainOrphan uint32

// antichainLeave runs when the program exits, and lets a consumer that is not its parent know that
// it was not killed. A program that never filled the ring has not waited for its consumer, and
// learns only here that it has become an orphan.
func antichainLeave() {
	atomic.Cas(antichainWord32(antichainOffLeft), 0, antichainLeftAnyhow)
	wanted := atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagOn != 0
	if antichainOn != antichainWriting || !wanted {
		return
	}
	if antichainParent != 0 && antichainGetppid() != antichainParent ||
		atomic.Load(&antichainOrphan) != 0 && !antichainBeats() {
		antichainSayGone()
	}
}

// antichainLeaveWell runs before antichainLeave when the program exits with code 0.
func antichainLeaveWell() {
	atomic.Cas(antichainWord32(antichainOffLeft), 0, antichainLeftWell)
}

// antichainBeats waits a little for a heartbeat of the consumer.
func antichainBeats() bool {
	beat := atomic.Load64(antichainWord64(antichainOffBeat))
	for range 50 {
		if atomic.Load64(antichainWord64(antichainOffBeat)) != beat {
			return true
		}
		usleep(10000)
	}
	return false
}
