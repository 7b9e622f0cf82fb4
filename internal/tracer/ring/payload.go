package ring

import (
	"encoding/binary"
	"iter"
)

// Case is a case of a select statement.
type Case struct {
	Channel uint64 // its address, 0 if it is nil
	Send    bool
}

// Cases returns how many cases of a select statement a record has, and how many there are besides.
// A record that makes no sense has none.
func (r *Record) Cases() (n int, more int64) {
	word := r.word(0)
	in, more := word&(1<<CasesMoreShift-1), int64(word>>CasesMoreShift)
	if in > uint64(r.words()-1) {
		return 0, more + int64(in)
	}
	return int(in), more
}

// Case returns the i-th of the cases.
func (r *Record) Case(i int) Case {
	word := r.word(1 + i)
	return Case{word &^ CaseSend, word&CaseSend != 0}
}

// Access is the earlier access to memory that a record's access conflicts with.
type Access struct {
	Ctx            uint64
	Count          uint64 // records that ctx had written by then
	Writes, Atomic bool
	PC             [PCs]uint64
}

// Conflict returns the earlier access. It reports false if the record has none, as those of single
// accesses.
func (r *Record) Conflict() (Access, bool) {
	moment, flags := r.word(0), r.word(1)
	return Access{
		Ctx: moment >> MomentShift, Count: moment & (1<<MomentShift - 1),
		Writes: flags&AccessWrites != 0, Atomic: flags&AccessAtomic != 0,
		PC: [PCs]uint64{r.word(2), r.word(3)},
	}, r.Payload != nil
}

// Stack yields the return addresses of a record's goroutine, innermost first: those in its head,
// and further ones.
func (r *Record) Stack() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for _, pc := range r.PC {
			if pc != 0 && !yield(pc) {
				return
			}
		}
		for i := r.outer(); r.word(i) != 0; i++ {
			if !yield(r.word(i)) {
				return
			}
		}
	}
}

// AppendStack appends what Stack yields.
func (r *Record) AppendStack(pcs []uint64) []uint64 {
	for pc := range r.Stack() {
		pcs = append(pcs, pc)
	}
	return pcs
}

// outer returns the index of the word of the payload with the first return address that is not in
// the head.
func (r *Record) outer() int {
	switch r.Kind {
	case KindRead, KindWrite:
		return 4
	case KindBlock, KindMisuse, KindSelect:
		if n := r.word(0) & (1<<CasesMoreShift - 1); n < uint64(r.words()) {
			return 1 + int(n)
		}
	}
	return r.words()
}

func (r *Record) words() int { return len(r.Payload) / 8 }

// word is the i-th word of the payload, 0 if that is shorter.
func (r *Record) word(i int) uint64 {
	if i >= r.words() {
		return 0
	}
	return binary.LittleEndian.Uint64(r.Payload[8*i:])
}
