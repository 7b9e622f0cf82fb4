package event

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Record is a synchronisation operation of a goroutine, as the program recorded it: a line with
// "rec" of a trace. The meaning of Addr, Aux, Arg and Payload depends on the kind. Unlike an event,
// a record has no causes: its order follows from all records of a run, in their sequence.
type Record struct {
	Index   uint64 // increases from record to record
	Kind    RecordKind
	Ctx     uint64    // number of the goroutine
	Addr    uint64    // of the synchronisation object
	Aux     uint64    // of the object that the program sees, or another number
	PC      [3]uint64 // return addresses, innermost first; 0 is absent
	Arg     uint64    // operation and number
	Payload []byte    // words of 8 bytes, little-endian
	Skipped uint64    // number of the goroutine's records before this one that the trace leaves out
}

// RecordKind is the kind of a Record. String returns its word in traces.
type RecordKind uint8

func (k RecordKind) String() string { return ring.Kind(k).String() }

// Valid reports whether programs write records of kind k.
func (k RecordKind) Valid() bool { return ring.Kind(k).Valid() }

// Clone returns a copy that shares nothing with r.
func (r *Record) Clone() *Record {
	c := *r
	c.Payload = bytes.Clone(r.Payload)
	return &c
}

// recordKinds maps words to kinds of records.
var recordKinds = map[string]RecordKind{}

// recordOps maps words to operations of records.
var recordOps = map[string]ring.Op{}

func init() {
	for k := RecordKind(ring.KindNone) + 1; k < ring.KindCount; k++ {
		recordKinds[k.String()] = k
	}
	for o := ring.Op(ring.OpNone) + 1; o < ring.OpCount; o++ {
		recordOps[opWord(o)] = o
	}
}

func opWord(o ring.Op) string {
	switch o {
	case ring.OpOnceLock:
		return "oncelock"
	case ring.OpOnceUnlock:
		return "onceunlock"
	}
	return o.String()
}

// hasOp reports whether the argument of records of a kind contains an operation.
func hasOp(k RecordKind) bool {
	switch k {
	case ring.KindAcquire, ring.KindRelease, ring.KindReleaseAcquire, ring.KindReleaseMerge, ring.KindMark,
		ring.KindTry,
		ring.KindBlock, ring.KindSend, ring.KindRecv, ring.KindClose, ring.KindRecvClosed:
		return true
	}
	return false
}

// splitArg returns the operation and the number in the argument of a record.
func splitArg(r *Record) (o ring.Op, n int64) {
	if !hasOp(r.Kind) {
		return ring.OpNone, int64(r.Arg)
	}
	recorded := ring.Record{Arg: r.Arg}
	return recorded.Op(), recorded.Delta()
}

// joinArg is the inverse of splitArg.
func joinArg(k RecordKind, o ring.Op, n int64) uint64 {
	if !hasOp(k) {
		return uint64(n)
	}
	return uint64(o) | uint64(n)<<ring.OpShift
}

// appendRecord appends the keys of a record after "rec".
func appendRecord(dst []byte, e *Event) []byte {
	r := e.Record
	dst = appendJSONString(append(dst, `{"rec":`...), r.Kind.String())
	dst = appendText(dst, keyTask, e.Task)
	o, n := splitArg(r)
	dst = appendText(dst, keyOp, opWord(o))
	dst = appendText(dst, keyObj, e.Obj)
	if r.Ctx != 0 {
		dst = strconv.AppendUint(appendKey(dst, eventKeys[keyGoroutine]), r.Ctx, 10)
	}
	dst = appendHex(dst, keyOn, r.Addr)
	dst = appendHex(dst, keyOf, r.Aux)
	if n != 0 {
		dst = strconv.AppendInt(appendKey(dst, eventKeys[keyN]), n, 10)
	}
	pcs := r.PC[:]
	for len(pcs) > 0 && pcs[len(pcs)-1] == 0 {
		pcs = pcs[:len(pcs)-1]
	}
	if len(pcs) > 0 {
		dst = append(appendKey(dst, eventKeys[keyPC]), '[')
		for i, pc := range pcs {
			dst = appendWord(dst, i, pc)
		}
		dst = append(dst, ']')
	}
	if len(r.Payload) > 0 {
		dst = append(appendKey(dst, eventKeys[keyData]), '[')
		for i := 0; i+8 <= len(r.Payload); i += 8 {
			dst = appendWord(dst, i, binary.LittleEndian.Uint64(r.Payload[i:]))
		}
		dst = append(dst, ']')
	}
	if r.Index != 0 {
		dst = strconv.AppendUint(appendKey(dst, eventKeys[keyIndex]), r.Index, 10)
	}
	if r.Skipped != 0 {
		dst = strconv.AppendUint(appendKey(dst, eventKeys[keySkipped]), r.Skipped, 10)
	}
	return append(dst, '}')
}

func appendHex(dst []byte, k eventKey, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return append(strconv.AppendUint(append(appendKey(dst, eventKeys[k]), '"'), v, 16), '"')
}

// appendWord appends the i-th word of a list.
func appendWord(dst []byte, i int, v uint64) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(strconv.AppendUint(append(dst, '"'), v, 16), '"')
}

// recordField reads a key of a record.
func (s *scanner) recordField(e *Event, k eventKey) (err error) {
	if e.Record == nil {
		e.Record, s.arg = new(Record), 0
	}
	r := e.Record
	switch k {
	case keyRecord:
		start := s.pos
		name, err := s.nameOf(k)
		if err != nil {
			return err
		}
		if r.Kind = recordKinds[name]; r.Kind == ring.KindNone {
			return s.errorAt(start, "unknown kind %q of records", name)
		}
	case keyGoroutine:
		r.Ctx, err = s.count(k)
	case keyOn:
		r.Addr, err = s.hex(k)
	case keyOf:
		r.Aux, err = s.hex(k)
	case keyN:
		var n int64
		n, err = s.integer(k)
		s.arg = uint64(n)
	case keyPC:
		i := 0
		err = s.words(k, func(pc uint64) bool {
			if i == ring.PCs {
				return false
			}
			r.PC[i] = pc
			i++
			return true
		})
	case keyData:
		err = s.words(k, func(w uint64) bool {
			r.Payload = binary.LittleEndian.AppendUint64(r.Payload, w)
			return len(r.Payload) <= maxData
		})
	case keyIndex:
		r.Index, err = s.count(k)
	case keySkipped:
		r.Skipped, err = s.count(k)
	case keyCode:
		var v Value
		if v, err = s.value(s.depth); err == nil {
			e.Code, err = codeOf(v)
		}
	case keySum:
		return &lineError{reason: "a checksum among events", remedy: remedySum}
	}
	return err
}

// maxData bounds the words of a record, in bytes.
const maxData = (ring.MaxPayload + 7) / 8 * 8

// operation completes an event with keys of a record or of code; seen has the keys of its line.
func (s *scanner) operation(e *Event, seen uint32) error {
	if e.Code != nil {
		e.Record = nil
		if seen != 1<<keyCode {
			return lineErrorf("a line with %q has other keys", eventKeys[keyCode])
		}
		return nil
	}
	if seen&(1<<keyRecord) == 0 {
		return lineErrorf("keys of a record without %q", eventKeys[keyRecord])
	}
	r := e.Record
	o := recordOps[e.Op]
	if e.Op != "" && (o == ring.OpNone || !hasOp(r.Kind)) {
		return lineErrorf("unknown operation %q of a record %q", e.Op, r.Kind)
	}
	e.Op, e.Extra = "", e.Extra[:0]
	r.Arg = joinArg(r.Kind, o, int64(s.arg))
	return nil
}

// count reads a nonnegative number.
func (s *scanner) count(k eventKey) (uint64, error) {
	start := s.pos
	n, err := s.integer(k)
	if err == nil && n < 0 {
		return 0, s.errorAt(start, "%q must not be negative", eventKeys[k])
	}
	return uint64(n), err
}

// hex reads a number in hexadecimal digits.
func (s *scanner) hex(k eventKey) (uint64, error) {
	if s.peek() != '"' {
		return 0, s.wrongType(k, "a string of hexadecimal digits")
	}
	start := s.pos
	b, err := s.str()
	if err != nil {
		return 0, err
	}
	v, ok := parseHex(b)
	if !ok {
		return 0, s.errorAt(start, "%q must be a string of at most 16 hexadecimal digits", eventKeys[k])
	}
	return v, nil
}

func parseHex(b []byte) (v uint64, ok bool) {
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// words reads a list of numbers in hexadecimal digits, until take reports that there are too many.
func (s *scanner) words(k eventKey, take func(uint64) bool) error {
	if s.peek() != '[' {
		return s.wrongType(k, "a list of strings of hexadecimal digits")
	}
	s.pos++
	for first := true; ; first = false {
		more, err := s.next(first, ']')
		if err != nil || !more {
			return err
		}
		start := s.pos
		v, err := s.hex(k)
		if err != nil {
			return err
		}
		if !take(v) {
			return s.errorAt(start, "too many elements of %q", eventKeys[k])
		}
	}
}
