package event

import (
	"encoding/binary"
	"errors"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// recordShapes are the writer's shapes of records: nearly all records of a place in the program
// differ only in goroutine and address.
type recordShapes struct {
	shapes map[recordShape]*knownShape
	recent [1 << 8]struct {
		shape recordShape
		known *knownShape
	}
}

type recordShape struct {
	kind    RecordKind
	named   bool
	skipped bool
	words   uint16
	arg     uint64
	pc      [ring.PCs]uint64
}

type knownShape struct {
	index uint64
	addr  uint64 // of its last record
}

// forget empties the table. Most parts have no records, so their cache is empty already.
func (r *recordShapes) forget() {
	if len(r.shapes) == 0 {
		return
	}
	clear(r.shapes)
	clear(r.recent[:])
}

func (r *recordShapes) find(s *recordShape) *knownShape {
	recent := &r.recent[(s.pc[0]^s.pc[1]*3^s.pc[2]*7^uint64(s.kind)*13^s.arg*29)%uint64(len(r.recent))]
	if recent.known == nil || recent.shape != *s {
		recent.shape, recent.known = *s, r.shapes[*s]
	}
	return recent.known
}

// operation appends an event that is no action of a task.
func (c *encoder) operation(e *Event) {
	c.events++
	if e.Code != nil {
		c.raw = append(c.raw, 0)
		c.raw = binary.AppendUvarint(c.raw, hasCode)
		c.raw = AppendValue(c.raw, e.Code.toValue())
		return
	}
	r := e.Record
	s := recordShape{r.Kind, e.Task != "" || e.Obj != "", r.Skipped != 0, uint16(len(r.Payload) / 8), r.Arg, r.PC}
	known := c.records.find(&s)
	if known == nil {
		known = c.defineRecord(&s)
	} else {
		c.raw = binary.AppendUvarint(c.raw, known.index+1)
	}
	c.raw = binary.AppendVarint(c.raw, int64(r.Ctx-c.ctx))
	c.raw = binary.AppendVarint(c.raw, int64(r.Addr-known.addr))
	c.raw = binary.AppendVarint(c.raw, int64(r.Aux-r.Addr))
	c.raw = binary.AppendVarint(c.raw, int64(r.Index-c.index))
	c.ctx, c.index, known.addr = r.Ctx, r.Index, r.Addr
	if s.skipped {
		c.raw = binary.AppendUvarint(c.raw, r.Skipped)
	}
	if s.named {
		c.raw = c.appendName(c.raw, e.Task)
		c.raw = c.appendName(c.raw, e.Obj)
	}
	for i := range int(s.words) {
		c.raw = binary.AppendUvarint(c.raw, binary.LittleEndian.Uint64(r.Payload[8*i:]))
	}
}

// hasNames is the flag of a shape of records with names.
const hasNames = hasObj

// defineRecord appends a shape to the block and to the table.
func (c *encoder) defineRecord(s *recordShape) *knownShape {
	if c.records.shapes == nil {
		c.records.shapes = map[recordShape]*knownShape{}
	}
	flags := uint64(hasRecord)
	if s.skipped {
		flags |= hasSkipped
	}
	if s.named {
		flags |= hasNames
	}
	c.raw = binary.AppendUvarint(append(c.raw, 0), flags)
	c.raw = append(c.raw, byte(s.kind))
	c.raw = binary.AppendUvarint(c.raw, uint64(s.words))
	c.raw = binary.AppendUvarint(c.raw, s.arg)
	for _, pc := range s.pc {
		c.raw = binary.AppendUvarint(c.raw, pc)
	}
	known := &knownShape{index: c.indexes()}
	c.records.shapes[*s] = known
	c.records.find(s)
	return known
}

// recordsOf is the reader's state of the records of a shape.
type recordsOf struct {
	common Record // kind, argument and places
	words  int    // number of data words
	addr   uint64 // of the last one
}

var errBadRecord = errors.New("a record that no program writes")

// newRecordShape reads a shape of records behind its flags.
func (d *decoder) newRecordShape(sh *shape) {
	if sh.flags&^(hasRecord|hasSkipped|hasNames) != 0 {
		d.fail(errBadFlags)
		return
	}
	kind, words := d.uvarint(), d.uvarint()
	if kind >= ring.KindCount || words > maxData/8 {
		d.fail(errBadRecord)
		return
	}
	of := &recordsOf{words: int(words)}
	of.common.Kind, of.common.Arg = RecordKind(kind), d.uvarint()
	for i := range of.common.PC {
		of.common.PC[i] = d.uvarint()
	}
	sh.records = of
}

// recordOf reads a record with that shape.
func (d *decoder) recordOf(e *Event, sh *shape) {
	r, of := new(Record), sh.records
	*r = of.common
	e.Record = r
	r.Ctx = d.ctx + uint64(d.varint())
	r.Addr = of.addr + uint64(d.varint())
	r.Aux = r.Addr + uint64(d.varint())
	r.Index = d.index + uint64(d.varint())
	d.ctx, d.index, of.addr = r.Ctx, r.Index, r.Addr
	if sh.flags&hasSkipped != 0 {
		r.Skipped = d.uvarint()
	}
	if sh.flags&hasNames != 0 {
		e.Task, e.Obj = d.name(), d.name()
	}
	if of.words > 0 {
		r.Payload = make([]byte, 0, 8*of.words)
	}
	for range of.words {
		r.Payload = binary.LittleEndian.AppendUint64(r.Payload, d.uvarint())
	}
}

// code reads a description of the program's code.
func (d *decoder) code(e *Event) {
	left := d.elements
	v := d.newValue(&left)
	if d.err == nil {
		e.Code, d.err = codeOf(v)
	}
}
