package event

import (
	"errors"
	"math"
)

// decoder decodes the events of a block and keeps the tables.
type decoder struct {
	raw     []byte // the rest of the block; empty after an error
	err     error  // the first one
	strings []string
	shapes  []shape
	names   int // number of names in shapes
	tasks   []decodedTask
	values  map[string]Value // short values by their coding
	recent  *recentStrings

	// counts has the number of events of each task when the tables were last emptied, or inTable
	// for tasks that are in the table again. It is nil for a part, which does not know earlier
	// parts.
	counts map[string]int

	index uint64 // of the last record
	ctx   uint64 // its goroutine

	task int   // table index of the last event's task
	ts   int64 // of the last event that had one

	depth    int // limits of one event
	elements int
}

type decodedTask struct {
	name  string
	count int // number of events so far
	ended bool
}

// inTable stands for a count that is in the table.
const inTable = -1

var (
	errBadRef    = errors.New("reference beyond the table")
	errFullTable = errors.New("table is too large")
	errEnded     = errors.New("event of a task after its end")
	errBadFlags  = errors.New("unknown flags")
	errAbsent    = errors.New("field is announced and absent")
	errCount     = errors.New("wrong number of earlier events of a task")
	errTwice     = errors.New("task stands twice in the table")
)

func newDecoder(limits Limits, recent *recentStrings) decoder {
	return decoder{values: make(map[string]Value), recent: recent, depth: limits.Depth, elements: limits.elements()}
}

// reset empties the tables. Like the writer, it keeps the counts of tasks that can have further
// events.
func (d *decoder) reset() {
	if d.counts != nil {
		for _, t := range d.tasks {
			if t.ended || t.count == 0 {
				delete(d.counts, t.name)
			} else {
				d.counts[t.name] = t.count
			}
		}
	}
	clear(d.strings)
	clear(d.shapes)
	clear(d.tasks)
	d.strings, d.shapes, d.tasks = d.strings[:0], d.shapes[:0], d.tasks[:0]
	d.names, d.task = 0, 0
	d.ctx, d.index = 0, 0
	d.err = nil
}

// fail notes an error. All that is read after it is zero.
func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.raw = nil
}

// event reads an event into e, which must be empty, and returns its number within its task.
func (d *decoder) event(e *Event) (k int, err error) {
	sh := d.shape()
	switch {
	case d.err != nil:
	case sh.flags&hasRecord != 0:
		d.recordOf(e, sh)
	case sh.flags&hasCode != 0:
		d.code(e)
	default:
		k = d.action(e, sh)
	}
	return k, d.err
}

// action reads an action of a task.
func (d *decoder) action(e *Event, sh *shape) (k int) {
	e.Enter, e.Exit, e.Op, e.At = sh.enter, sh.exit, sh.op, sh.at
	i := d.taskRef(d.task)
	if d.err != nil {
		return 0
	}
	t := &d.tasks[i]
	if t.ended {
		d.fail(errEnded)
		return 0
	}
	t.count++
	t.ended = e.Op == OpEnd
	d.task = i
	e.Task, k = t.name, t.count
	if sh.flags&hasSpawn != 0 {
		if i := d.taskRef(d.task); d.err == nil {
			e.Spawn = d.tasks[i].name
		}
	}
	if sh.flags&hasObj != 0 {
		if e.Obj = d.name(); e.Obj == "" {
			d.fail(errAbsent)
		}
	}
	if sh.flags&hasTS != 0 {
		d.ts += d.varint()
		e.TS = d.ts
	}
	e.After = d.refs(e.After, sh.after)
	e.With = d.refs(e.With, sh.with)
	left := d.elements
	e.Set = d.bindings(e.Set, sh.set, &left)
	e.Global = d.bindings(e.Global, sh.global, &left)
	e.Write = d.bindings(e.Write, sh.write, &left)
	e.Extra = d.bindings(e.Extra, sh.extra, &left)
	return k
}

func (d *decoder) uvarint() uint64 {
	if raw := d.raw; len(raw) > 0 && raw[0] < 0x80 { // nearly always
		d.raw = raw[1:]
		return uint64(raw[0])
	}
	return d.longUvarint()
}

// longUvarint is apart from uvarint, which the compiler inlines.
func (d *decoder) longUvarint() uint64 {
	u, rest, err := cutUvarint(d.raw)
	if err != nil {
		d.fail(err)
		return 0
	}
	d.raw = rest
	return u
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// bytes reads a length and that many bytes.
func (d *decoder) bytes() []byte {
	b, rest, err := cutBytes(d.raw)
	if err != nil {
		d.fail(err)
		return nil
	}
	d.raw = rest
	return b
}

// shape reads a reference to a shape, or a new one. It is valid until the next call.
func (d *decoder) shape() *shape {
	i := d.uvarint()
	switch {
	case d.err != nil:
		return nil
	case i > uint64(len(d.shapes)):
		d.fail(errBadRef)
		return nil
	case i > 0:
		return &d.shapes[i-1]
	case len(d.shapes) >= maxTable:
		d.fail(errFullTable)
		return nil
	}
	d.shapes = append(d.shapes, shape{})
	sh := &d.shapes[len(d.shapes)-1]
	d.newShape(sh)
	return sh
}

// newShape reads a shape into its place in the table: it is large, and a part of one event has
// nothing else in its tables.
func (d *decoder) newShape(sh *shape) {
	sh.flags = d.uvarint()
	switch {
	case sh.flags&^allFlags != 0:
		d.fail(errBadFlags)
		return
	case sh.flags == hasCode:
		d.shapes = d.shapes[:len(d.shapes)-1] // a shape with a single event
		return
	case sh.flags&hasRecord != 0:
		d.newRecordShape(sh)
		return
	case sh.flags&(hasSkipped|hasCode) != 0:
		d.fail(errBadFlags)
		return
	}
	for _, s := range [...]*string{&sh.enter, &sh.exit, &sh.op, &sh.at} {
		*s = d.name()
	}
	for _, n := range [...]*int{&sh.after, &sh.with} {
		u := d.uvarint()
		if u > uint64(len(d.raw)) {
			d.fail(errShort)
			return
		}
		*n = int(u)
	}
	for _, names := range [...]*[]string{&sh.set, &sh.global, &sh.write, &sh.extra} {
		*names = d.nameList()
	}
}

func (d *decoder) nameList() (names []string) {
	if len(d.raw) > 0 && d.raw[0] == 0 { // nearly always
		d.raw = d.raw[1:]
		return nil
	}
	n := d.uvarint()
	if n > uint64(len(d.raw)) {
		d.fail(errShort)
		return nil
	}
	if d.names += int(n); d.names > maxTable {
		d.fail(errFullTable)
	}
	for i := uint64(0); i < n && d.err == nil; i++ {
		names = append(names, d.name())
	}
	return names
}

// name reads a reference to a string, or a new one.
func (d *decoder) name() string {
	u := d.uvarint()
	switch {
	case u == 0: // or after an error
		return ""
	case u > 1 && u-2 >= uint64(len(d.strings)):
		d.fail(errBadRef)
		return ""
	case u > 1:
		return d.strings[u-2]
	}
	b := d.bytes()
	if len(d.strings) >= maxTable {
		d.fail(errFullTable)
	}
	if d.err != nil {
		return ""
	}
	d.strings = append(d.strings, d.recent.str(b))
	return d.strings[len(d.strings)-1]
}

// taskRef reads a reference to a task, or a new one, and returns its table index.
func (d *decoder) taskRef(near int) int {
	i := int64(near) + d.varint()
	switch {
	case i < 0 || i > int64(len(d.tasks)):
		d.fail(errBadRef)
		return 0
	case i < int64(len(d.tasks)):
		return int(i)
	}
	name, count := d.bytes(), d.uvarint()
	if count > math.MaxInt/2 {
		d.fail(errBadVarint)
	}
	if len(d.tasks) >= maxTable {
		d.fail(errFullTable)
	}
	if d.err != nil {
		return 0
	}
	d.tasks = append(d.tasks, decodedTask{name: d.recent.str(name), count: int(count)})
	d.enter(&d.tasks[i])
	return int(i)
}

// enter checks a new task of the table.
func (d *decoder) enter(t *decodedTask) {
	if d.counts == nil {
		return
	}
	switch d.counts[t.name] {
	case inTable:
		d.fail(errTwice)
	case t.count:
		d.counts[t.name] = inTable
	default:
		d.fail(errCount)
	}
}

func (d *decoder) refs(dst []Ref, n int) []Ref {
	for range n {
		i := d.taskRef(d.task)
		back := d.varint()
		if d.err != nil {
			break
		}
		k := int64(d.tasks[i].count) - back
		if k > math.MaxInt {
			d.fail(errBadVarint)
		}
		dst = append(dst, Ref{d.tasks[i].name, int(k)})
	}
	return dst
}

func (d *decoder) bindings(dst []Binding, names []string, left *int) []Binding {
	for _, name := range names {
		if d.err != nil {
			break
		}
		dst = append(dst, Binding{name, d.value(left)})
	}
	return dst
}

// value reads a value. It reuses short values that were read before.
func (d *decoder) value(left *int) Value {
	if len(d.raw) == 0 || d.raw[0] < tagString {
		return d.newValue(left)
	}
	rest, ok := skipValue(d.raw[:min(len(d.raw), poolLength)])
	if !ok {
		return d.newValue(left)
	}
	size := min(len(d.raw), poolLength) - len(rest)
	key := d.raw[:size]
	if v, ok := d.values[string(key)]; ok {
		d.raw = d.raw[size:]
		return v
	}
	v := d.newValue(left)
	if d.err != nil {
		return v
	}
	if len(d.values) >= poolStrings {
		clear(d.values)
	}
	d.values[string(key)] = v
	return v
}

func (d *decoder) newValue(left *int) Value {
	v, rest, err := decodeValue(d.raw, d.depth, left)
	if err != nil {
		d.fail(err)
		return Value{}
	}
	d.raw = rest
	return v
}

// skipValue returns the bytes after the value at the front of b. b is short, so recursion is
// bounded.
func skipValue(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, false
	}
	tag, b := b[0], b[1:]
	var err error
	switch tag {
	case tagNull, tagFalse, tagTrue:
		return b, true
	case tagInt, tagUint:
		_, b, err = cutUvarint(b)
		return b, err == nil
	case tagFloat:
		return b[min(8, len(b)):], len(b) >= 8
	case tagString:
		_, b, err = cutBytes(b)
		return b, err == nil
	case tagList, tagObject:
		n, b, err := cutCount(b, 1)
		if err != nil {
			return nil, false
		}
		for range n {
			if tag == tagObject {
				if _, b, err = cutBytes(b); err != nil {
					return nil, false
				}
			}
			if b, ok = skipValue(b); !ok {
				return nil, false
			}
		}
		return b, true
	}
	return nil, false
}
