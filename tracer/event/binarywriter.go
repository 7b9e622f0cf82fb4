package event

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// BinaryWriter writes the binary form of a trace. Events are collected in blocks;
// Flush ends a block early.
type BinaryWriter struct {
	out    io.Writer
	zstd   *zstd.Encoder
	check  checker
	enc    encoder
	events uint64 // number of events written
	packed []byte // backs the compressed block
	frame  []byte // backs the block in its final form
	summed bool   // blocks have checksums
	err    error  // sticky
}

// NewBinaryWriter returns a writer of a trace in binary form. If no reader would accept the header,
// the first Write, Flush or Close returns an error.
func NewBinaryWriter(w io.Writer, h *Header) *BinaryWriter {
	b := &BinaryWriter{out: w}
	if b.err = headerError(h); b.err != nil {
		return b
	}
	b.zstd, b.err = newBlockEncoder()
	b.check = newChecker(h)
	b.enc.init()
	b.summed = h.Version >= 2
	start := append([]byte(BinaryMagic), byte(max(h.Version, 1)))
	start = appendString(start, string(appendHeader(nil, h)))
	if b.summed {
		start = appendBlockSum(start)
	}
	b.put(start)
	return b
}

func (b *BinaryWriter) put(p []byte) {
	if b.err == nil {
		_, b.err = b.out.Write(p)
	}
}

// Write implements Writer.
func (b *BinaryWriter) Write(e *Event) error {
	if b.err != nil {
		return b.err
	}
	b.events++
	err := b.check.next(e)
	if err == nil {
		err = b.enc.event(e)
	}
	if err != nil {
		b.err = eventError(int(b.events), err)
		return b.err
	}
	if len(b.enc.raw) >= blockTarget {
		b.writeBlock()
	}
	return b.err
}

// Flush implements Writer.
func (b *BinaryWriter) Flush() error {
	if b.err == nil && b.enc.events > 0 {
		b.writeBlock()
	}
	return b.err
}

func (b *BinaryWriter) writeBlock() {
	b.packed = b.zstd.EncodeAll(b.enc.raw, b.packed[:0])
	frame := appendBlock(b.frame[:0], &b.enc, b.packed, b.summed)
	b.enc.raw, b.enc.events = b.enc.raw[:0], 0
	if b.enc.tablesFull() {
		b.enc.reset()
		frame = append(frame, blockReset)
	}
	b.put(frame)
	b.frame = frame
}

// appendBlock appends a block with the events of the encoder, whose compressed form is packed.
func appendBlock(dst []byte, enc *encoder, packed []byte, summed bool) []byte {
	kind := byte(blockEvents)
	if summed {
		kind = blockSummed
	}
	block := append(dst, kind)
	block = binary.AppendUvarint(block, uint64(enc.events))
	block = binary.AppendUvarint(block, uint64(len(enc.raw)))
	block = binary.AppendUvarint(block, uint64(len(packed)))
	block = append(block, packed...)
	if summed {
		block = appendBlockSum(block)
	}
	return block
}

var errClosed = errors.New("write to a trace that is closed")

// Close implements Writer. Readers treat a trace that was not closed as truncated.
func (b *BinaryWriter) Close() error {
	if b.err == errClosed {
		return nil
	}
	if err := b.Flush(); err != nil {
		return err
	}
	b.put(binary.AppendUvarint([]byte{blockEnd}, b.events))
	if b.err != nil {
		return b.err
	}
	b.err = errClosed
	return nil
}

// encoder encodes the events of a block and keeps the tables.
type encoder struct {
	raw    []byte // the block so far
	events int    // number of events in raw

	sizes   tableSizes
	strings map[string]uint64
	bytes   int // size of strings
	shapes  map[string]uint64
	names   int // number of names in shapes
	tasks   map[string]*taskEntry
	defined int // number of tasks in the table since the last reset
	epoch   int // number of resets

	// Caches in front of the tables.
	recentStrings recentCache[uint64]
	recentShapes  recentShapes
	recentTasks   recentCache[*taskEntry]

	records    recordShapes
	index      uint64 // of the last record
	ctx        uint64 // its goroutine
	task       int64  // table index of the last event's task
	ts         int64  // of the last event that had one
	addedNames int    // strings added to the table with the current shape
	def        []byte
}

// taskEntry is the writer's state of a task. The task is in the table only if epoch is the
// encoder's.
type taskEntry struct {
	index int64
	epoch int
	count int // number of events so far
	ended bool
}

func (c *encoder) init() {
	c.sizes = writerTables
	c.strings = make(map[string]uint64)
	c.shapes = make(map[string]uint64)
	c.tasks = make(map[string]*taskEntry)
}

// tablesFull reports whether the tables should be emptied.
func (c *encoder) tablesFull() bool {
	return len(c.strings) > c.sizes.strings || c.bytes > c.sizes.bytes || c.defined > c.sizes.tasks ||
		c.indexes() > uint64(c.sizes.shapes) || c.names > c.sizes.names
}

// reset empties the tables. It keeps the counts of tasks that can have further events.
func (c *encoder) reset() {
	clear(c.strings)
	clear(c.shapes)
	c.recentStrings.forget()
	c.recentShapes.forget()
	c.recentTasks.forget()
	c.records.forget()
	c.index, c.ctx = 0, 0
	for name, t := range c.tasks {
		if t.ended || t.count == 0 {
			delete(c.tasks, name)
		}
	}
	c.bytes, c.names, c.defined = 0, 0, 0
	c.task = 0
	c.epoch++
}

// event appends e to the block.
func (c *encoder) event(e *Event) error {
	if len(c.strings) > maxTable/2 || len(c.tasks) > maxTable/2 {
		return fmt.Errorf("more than %d different names at once", maxTable/2)
	}
	if !e.IsAction() {
		c.operation(e)
		return nil
	}
	c.shape(e)
	t := c.appendTask(e.Task, c.task)
	c.task = t.index
	t.count++
	t.ended = e.Op == OpEnd
	if e.Spawn != "" {
		c.appendTask(e.Spawn, t.index)
	}
	if e.Obj != "" {
		c.raw = c.appendName(c.raw, e.Obj)
	}
	if e.TS != 0 {
		c.raw = binary.AppendVarint(c.raw, e.TS-c.ts)
		c.ts = e.TS
	}
	c.refs(e.After, t.index)
	c.refs(e.With, t.index)
	c.values(e.Set)
	c.values(e.Global)
	c.values(e.Write)
	c.values(e.Extra)
	c.events++
	return nil
}

// shape appends the reference to e's shape, or its definition if it is new.
func (c *encoder) shape(e *Event) {
	if !bindsNothing(e) {
		c.tableShape(e)
		return
	}
	flags := shapeFlags(e)
	recent := c.recentShapes.entry(e)
	if c.recentShapes.has(recent, e, flags) {
		c.raw = binary.AppendUvarint(c.raw, recent.index+1)
		return
	}
	c.recentShapes.set(recent, e, flags, c.tableShape(e))
}

// tableShape is shape without the caches. It returns the shape's index.
func (c *encoder) tableShape(e *Event) uint64 {
	c.addedNames = 0
	c.def = c.appendShape(c.def[:0], e)
	if c.addedNames == 0 {
		if i, ok := c.shapes[string(c.def)]; ok {
			c.raw = binary.AppendUvarint(c.raw, i+1)
			return i
		}
	}
	c.raw = append(append(c.raw, 0), c.def...)
	if c.addedNames > 0 { // the key must consist of references only
		c.def = c.appendShape(c.def[:0], e)
	}
	index := c.indexes()
	c.shapes[string(c.def)] = index
	c.names += len(e.Set) + len(e.Global) + len(e.Write) + len(e.Extra)
	return index
}

// indexes returns the number of shapes.
func (c *encoder) indexes() uint64 { return uint64(len(c.shapes) + len(c.records.shapes)) }

func shapeFlags(e *Event) (flags uint64) {
	if e.Spawn != "" {
		flags |= hasSpawn
	}
	if e.Obj != "" {
		flags |= hasObj
	}
	if e.TS != 0 {
		flags |= hasTS
	}
	return flags
}

func (c *encoder) appendShape(dst []byte, e *Event) []byte {
	dst = binary.AppendUvarint(dst, shapeFlags(e))
	dst = c.appendName(dst, e.Enter)
	dst = c.appendName(dst, e.Exit)
	dst = c.appendName(dst, e.Op)
	dst = c.appendName(dst, e.At)
	dst = binary.AppendUvarint(dst, uint64(len(e.After)))
	dst = binary.AppendUvarint(dst, uint64(len(e.With)))
	for _, vars := range [...][]Binding{e.Set, e.Global, e.Write, e.Extra} {
		dst = binary.AppendUvarint(dst, uint64(len(vars)))
		for i := range vars {
			dst = c.appendName(dst, vars[i].Name)
		}
	}
	return dst
}

// appendName appends a reference to s in the table of strings.
func (c *encoder) appendName(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, 0)
	}
	if i, ok := c.recentStrings.get(s); ok {
		return binary.AppendUvarint(dst, i+2)
	}
	if i, ok := c.strings[s]; ok {
		c.recentStrings.put(s, i)
		return binary.AppendUvarint(dst, i+2)
	}
	c.strings[s] = uint64(len(c.strings))
	c.bytes += len(s)
	c.addedNames++
	return appendString(append(dst, 1), s)
}

// appendTask appends a reference to a task, as the distance from the table index near.
func (c *encoder) appendTask(name string, near int64) *taskEntry {
	t := c.taskEntry(name)
	if t.epoch == c.epoch {
		c.raw = binary.AppendVarint(c.raw, t.index-near)
		return t
	}
	t.index, t.epoch = int64(c.defined), c.epoch
	c.defined++
	c.raw = binary.AppendVarint(c.raw, t.index-near)
	c.raw = appendString(c.raw, name)
	c.raw = binary.AppendUvarint(c.raw, uint64(t.count))
	return t
}

func (c *encoder) taskEntry(name string) *taskEntry {
	t, ok := c.recentTasks.get(name)
	if ok {
		return t
	}
	if t = c.tasks[name]; t == nil {
		t = &taskEntry{epoch: c.epoch - 1}
		c.tasks[name] = t
	}
	c.recentTasks.put(name, t)
	return t
}

func (c *encoder) refs(refs []Ref, near int64) {
	for _, r := range refs {
		t := c.appendTask(r.Task, near)
		c.raw = binary.AppendVarint(c.raw, int64(t.count)-int64(r.K))
	}
}

func (c *encoder) values(bs []Binding) {
	for i := range bs {
		c.raw = AppendValue(c.raw, bs[i].Value)
	}
}
