//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Records without an order: blocked goroutines and their objects, the cases of select statements,
// and how the program begins, ends and fails. They are written for a consumer that asks for
// operations, on paths that are slow anyway: where a goroutine is about to wait or to fail. A wait
// at a channel is recorded under the lock of the channel, and so before the record of the goroutine
// that ends it.

// antichainOperations reports whether such records are wanted.
//
//go:nosplit
func antichainOperations() bool {
	return antichainOn != antichainOff &&
		atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagOperations != 0
}

// antichainOperation writes a record of the caller without payload, if it is wanted.
//
//go:nosplit
func antichainOperation(kind uint64, addr, aux, arg uintptr) {
	if antichainOperations() {
		antichainRecord(kind, addr, aux, arg)
	}
}

// antichainMisuse records the cause of the caller's imminent failure, also between race.Disable and
// race.Enable.
func antichainMisuse(object unsafe.Pointer, what uintptr) {
	gp := getg()
	ignore := gp.raceignore
	gp.raceignore = 0
	if antichainOn != antichainOff {
		antichainPutCases(antichainKindMisuse, uintptr(object), what, nil, 0)
	}
	gp.raceignore = ignore
}

// antichainBlock records that the caller is about to wait for object.
func antichainBlock(object unsafe.Pointer, op uintptr) {
	if antichainOperations() {
		antichainPutCases(antichainKindBlock, uintptr(object), op, nil, 0)
	}
}

// antichainBlockSelect records that the caller is about to wait for one of cases. The first nsends
// of them send.
func antichainBlockSelect(cases []scase, nsends int) {
	if antichainOperations() {
		antichainPutCases(antichainKindBlock, 0, antichainOpSelect, cases, nsends)
	}
}

// antichainSelect records the decision of a select statement of the caller.
func antichainSelect(cases []scase, nsends int, decision uintptr) {
	recorded := antichainOperations()
	if !recorded && antichainSeed == 0 || antichainPolls(cases, nsends, decision) {
		return
	}
	if recorded {
		antichainPutCases(antichainKindSelect, 0, decision, cases, nsends)
	}
	if decision == antichainSelectDefault {
		antichainAttempted()
	}
}

// antichainTry is antichainSelect for a select statement with one case and a default, which the
// compiler turns into a call that does not block.
func antichainTry(c *hchan, sends bool, decision uintptr) {
	if getg() != getg().m.curg {
		return // a timer sends
	}
	nsends := 0
	if sends {
		nsends = 1
	}
	antichainSelect([]scase{{c: c}}, nsends, decision)
}

// antichainPolls reports whether the caller repeats the default of a select statement: there are
// loops that do little else.
func antichainPolls(cases []scase, nsends int, decision uintptr) bool {
	key := uintptr(nsends)
	for i := range cases {
		key = key*31 + uintptr(unsafe.Pointer(cases[i].c))
	}
	if decision != antichainSelectDefault {
		key = 0
	}
	state := antichainState(getg())
	again := key != 0 && state.polled == key
	if again {
		antichainIsIdle()
	} else if key != 0 {
		antichainAttempts(uint64(key))
	}
	state.polled = key
	return again
}

// antichainPutCases writes a record with cases. A goroutine that waits or fails may never return,
// so this record has more return addresses than others.
func antichainPutCases(kind uint64, object, arg uintptr, cases []scase, nsends int) {
	ctx := antichainSelf()
	if ctx == 0 {
		return
	}
	antichainBeforeChannel()
	var further []uint64
	if kind != antichainKindSelect {
		var pcs [antichainPCs + antichainBlockPCs]uint64
		n := antichainWalk(pcs[:], getg(), getfp())
		further = pcs[antichainPCs:max(n, antichainPCs)]
	}
	listed := min(len(cases), antichainMaxCases)
	const perSlot = antichainPayloadPerSlot / 8
	extra := uint64(1+listed+len(further)+perSlot-1) / perSlot
	index, ok := antichainReserve(1 + extra)
	if !ok {
		return
	}
	p := antichainPayload{index: index + 1}
	p.put(uint64(listed) | uint64(len(cases)-listed)<<antichainCasesMoreShift)
	for i := range listed {
		c := uint64(uintptr(unsafe.Pointer(cases[i].c)))
		if i < nsends {
			c |= antichainCaseSend
		}
		p.put(c)
	}
	for _, pc := range further {
		p.put(pc)
	}
	p.close()
	s := antichainHead(index)
	s.word = kind<<antichainKindShift | extra<<antichainExtraShift | uint64(ctx)
	s.addr = uint64(object)
	s.aux = uint64(object)
	s.arg = uint64(arg)
	antichainCallers(s, getg(), getfp())
	antichainPublish(s, index)
}

// antichainPayload fills continuation slots with words.
type antichainPayload struct {
	index uint64  // of the slot
	used  uintptr // bytes of it, without the first word
}

//go:nosplit
func (p *antichainPayload) slot() unsafe.Pointer {
	return add(antichainSlots, uintptr(p.index&antichainMask)*antichainSlotSize)
}

//go:nosplit
func (p *antichainPayload) put(word uint64) {
	if p.used == antichainPayloadPerSlot {
		p.close()
		p.index, p.used = p.index+1, 0
	}
	*(*uint64)(add(p.slot(), 8+p.used)) = word
	p.used += 8
}

// close publishes the slot.
//
//go:nosplit
func (p *antichainPayload) close() {
	memclrNoHeapPointers(add(p.slot(), 8+p.used), antichainPayloadPerSlot-p.used)
	atomic.StoreRel64((*uint64)(p.slot()), p.index+1|antichainContinuationBit)
}
