package exe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sort"
)

// pclntab is the runtime's table of functions and lines. runtime/symtab.go describes
// it; this is its form since Go 1.20.
type pclntab struct {
	count   int    // of functions
	quantum uint64 // of pcs
	names   []byte
	units   []byte // for each compilation unit, where the names of its files are
	files   []byte
	values  []byte // tables from pc to number
	funcs   []byte // an index of functions by pc, then the functions
	inlined []byte // go:func.*, nil if unknown
}

const (
	magic      = 0xfffffff1
	headerSize = 8 + 8*8
	notInlined = -1
)

var errTable = errors.New("its function table is damaged, or of another Go version")

func newPclntab(data, inlined []byte) (pclntab, error) {
	if len(data) < headerSize || binary.LittleEndian.Uint32(data) != magic || data[7] != 8 {
		return pclntab{}, errTable
	}
	t := pclntab{quantum: uint64(data[6])}
	field := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8+8*i:]) }
	part := func(i int) []byte {
		at := field(i)
		if at > uint64(len(data)) {
			return nil
		}
		return data[at:]
	}
	// Fields 1 and 2, the number of files and formerly the text address, are not needed.
	t.names, t.units, t.files, t.values, t.funcs = part(3), part(4), part(5), part(6), part(7)
	if n := field(0); n > uint64(len(t.funcs))/8 {
		return pclntab{}, errTable
	} else {
		t.count = int(n)
	}
	t.inlined = inlined
	return t, nil
}

// u32 reads a number at an offset of b, 0 if b is too short.
func u32(b []byte, at uint64) uint32 {
	if at > uint64(len(b)) || uint64(len(b))-at < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b[at:])
}

// text reads a string that ends with a zero byte.
func text(b []byte, at uint64) string {
	if at >= uint64(len(b)) {
		return ""
	}
	b = b[at:]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return string(b[:i])
	}
	return ""
}

// function is one entry of the table.
type function struct {
	table      *pclntab
	entry, end uint64
	at         uint64 // of its description, in table.funcs
}

// Offsets in a function's description (runtime._func).
const (
	funcName     = 4
	funcFile     = 20
	funcLine     = 24
	funcNpcdata  = 28
	funcUnit     = 32
	funcNfuncdat = 43
	funcSize     = 44

	pcdataInlTreeIndex = 2
	funcdataInlTree    = 3
)

// functionAt returns the i-th function of code that starts at start.
func (t *pclntab) functionAt(i int, start uint64) function {
	at := uint64(8 * i)
	return function{
		table: t,
		entry: start + uint64(u32(t.funcs, at)),
		end:   start + uint64(u32(t.funcs, at+8)),
		at:    uint64(u32(t.funcs, at+4)),
	}
}

// find returns the function that contains pc.
func (t *pclntab) find(pc, start uint64) (function, bool) {
	i := sort.Search(t.count, func(i int) bool { return t.functionAt(i, start).entry > pc })
	if i == 0 {
		return function{}, false
	}
	fn := t.functionAt(i-1, start)
	return fn, pc < fn.end
}

// functions yields all functions.
func (t *pclntab) functions(start uint64) func(yield func(function) bool) {
	return func(yield func(function) bool) {
		for i := range t.count {
			if !yield(t.functionAt(i, start)) {
				return
			}
		}
	}
}

func (fn function) field(off uint64) uint64 { return uint64(u32(fn.table.funcs, fn.at+off)) }

func (fn function) name() string { return text(fn.table.names, fn.field(funcName)) }

// line returns the source position of pc, of the innermost inlined function there.
func (fn function) line(pc uint64) (file string, line int) {
	t := fn.table
	number, ok := fn.value(fn.field(funcFile), pc)
	if !ok {
		return "", 0
	}
	n, _ := fn.value(fn.field(funcLine), pc)
	at := u32(t.units, 4*(fn.field(funcUnit)+uint64(uint32(number))))
	return text(t.files, uint64(at)), int(n)
}

// frame is a call, inlined or not, and its current position.
type frame struct {
	function, file string
	line           int
}

// frames yields the calls at pc, from the innermost inlined one outward.
func (fn function) frames(pc uint64) func(yield func(frame) bool) {
	return func(yield func(frame) bool) {
		const deepest = 1000 // a damaged tree could go round in circles
		for range deepest {
			at := frame{function: fn.name()}
			call, inlined := fn.inlinedCall(fn.inlineIndex(pc))
			if inlined {
				at.function = text(fn.table.names, uint64(call.name))
			}
			at.file, at.line = fn.line(pc)
			if !yield(at) || !inlined {
				return
			}
			pc = fn.entry + uint64(call.parent)
		}
	}
}

// inlineIndex returns the place of pc's innermost inlined call in the inline tree.
func (fn function) inlineIndex(pc uint64) int32 {
	if fn.field(funcNpcdata) <= pcdataInlTreeIndex {
		return notInlined
	}
	index, ok := fn.value(fn.field(funcSize+4*pcdataInlTreeIndex), pc)
	if !ok {
		return notInlined
	}
	return index
}

// inlinedCall is an entry of the inline tree (runtime.inlinedCall).
type inlinedCall struct {
	name   uint32 // offset of the called function's name
	parent uint32 // offset from the entry of a pc with the position of the call
}

func (fn function) inlinedCall(index int32) (inlinedCall, bool) {
	const size = 16
	t := fn.table
	described := fn.at + funcNfuncdat
	if index < 0 || t.inlined == nil || described >= uint64(len(t.funcs)) || t.funcs[described] <= funcdataInlTree {
		return inlinedCall{}, false
	}
	tree := fn.field(funcSize + 4*fn.field(funcNpcdata) + 4*funcdataInlTree)
	at := tree + size*uint64(index)
	if tree == 1<<32-1 || at+size > uint64(len(t.inlined)) {
		return inlinedCall{}, false
	}
	return inlinedCall{u32(t.inlined, at+4), u32(t.inlined, at+8)}, true
}

// firstInlined returns the name of the first function that is inlined in fn itself.
func (fn function) firstInlined() string {
	const enough = 4096 // bytes: it is asked of small wrappers
	for pc := fn.entry; pc < min(fn.end, fn.entry+enough); pc += max(1, fn.table.quantum) {
		// Walk out to the call that stands in fn's own code.
		name := ""
		at := pc
		for range 100 {
			call, ok := fn.inlinedCall(fn.inlineIndex(at))
			if !ok {
				break
			}
			name = text(fn.table.names, uint64(call.name))
			at = fn.entry + uint64(call.parent)
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// value looks pc up in the table at offset off of values: pairs of a signed step of
// the value and a step of the pc up to which it holds.
func (fn function) value(off, pc uint64) (int32, bool) {
	value, _, ok := fn.valueUntil(off, pc)
	return value, ok
}

// valueUntil is value, and the pc up to which it holds.
func (fn function) valueUntil(off, pc uint64) (value int32, until uint64, ok bool) {
	if off == 0 || off >= uint64(len(fn.table.values)) || fn.table.quantum == 0 {
		return 0, 0, false
	}
	b := fn.table.values[off:]
	until, value = fn.entry, -1
	for first := true; ; first = false {
		step, n := binary.Uvarint(b)
		if n <= 0 || step == 0 && !first {
			return 0, 0, false
		}
		b = b[n:]
		length, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, 0, false
		}
		b = b[n:]
		value += int32(uint32(step)>>1) ^ -int32(uint32(step)&1)
		until += length * fn.table.quantum
		if pc < until {
			return value, until, true
		}
	}
}
