package event

import (
	"errors"
	"math"
)

// decoder decodes the events of a block and keeps the tables.
type decoder struct {
	raw     []byte // the rest of the block
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
}

// event reads an event into e, which must be empty, and returns its number within its task.
func (d *decoder) event(e *Event) (k int, err error) {
	sh, err := d.shape()
	if err != nil {
		return 0, err
	}
	switch {
	case sh.flags&hasRecord != 0:
		return 0, d.recordOf(e, sh)
	case sh.flags&hasCode != 0:
		return 0, d.code(e)
	}
	e.Enter, e.Exit, e.Op, e.At = sh.enter, sh.exit, sh.op, sh.at
	if d.task, err = d.taskRef(d.task); err != nil {
		return 0, err
	}
	t := &d.tasks[d.task]
	if t.ended {
		return 0, errEnded
	}
	t.count++
	t.ended = e.Op == OpEnd
	e.Task, k = t.name, t.count
	if err = d.optional(e, sh.flags); err != nil {
		return 0, err
	}
	if e.After, err = d.refs(e.After, sh.after); err != nil {
		return 0, err
	}
	if e.With, err = d.refs(e.With, sh.with); err != nil {
		return 0, err
	}
	left := d.elements
	if e.Set, err = d.bindings(e.Set, sh.set, &left); err != nil {
		return 0, err
	}
	if e.Global, err = d.bindings(e.Global, sh.global, &left); err != nil {
		return 0, err
	}
	if e.Write, err = d.bindings(e.Write, sh.write, &left); err != nil {
		return 0, err
	}
	e.Extra, err = d.bindings(e.Extra, sh.extra, &left)
	return k, err
}

// optional reads the fields that the flags announce.
func (d *decoder) optional(e *Event, flags uint64) error {
	if flags&hasSpawn != 0 {
		i, err := d.taskRef(d.task)
		if err != nil {
			return err
		}
		e.Spawn = d.tasks[i].name
	}
	if flags&hasObj != 0 {
		var err error
		if e.Obj, err = d.name(); err != nil {
			return err
		}
		if e.Obj == "" {
			return errAbsent
		}
	}
	if flags&hasTS != 0 {
		delta, err := d.varint()
		if err != nil {
			return err
		}
		d.ts += delta
		e.TS = d.ts
	}
	return nil
}

func (d *decoder) uvarint() (uint64, error) {
	if len(d.raw) > 0 && d.raw[0] < 0x80 { // nearly always
		u := uint64(d.raw[0])
		d.raw = d.raw[1:]
		return u, nil
	}
	u, rest, err := cutUvarint(d.raw)
	d.raw = rest
	return u, err
}

func (d *decoder) varint() (int64, error) {
	u, err := d.uvarint()
	return int64(u>>1) ^ -int64(u&1), err
}

// shape reads a reference to a shape, or a new one. It is valid until the next call.
func (d *decoder) shape() (*shape, error) {
	i, err := d.uvarint()
	if err != nil {
		return nil, err
	}
	if i > uint64(len(d.shapes)) {
		return nil, errBadRef
	}
	if i > 0 {
		return &d.shapes[i-1], nil
	}
	if len(d.shapes) >= maxTable {
		return nil, errFullTable
	}
	d.shapes = append(d.shapes, shape{})
	sh := &d.shapes[len(d.shapes)-1]
	return sh, d.newShape(sh)
}

// newShape reads a shape into its place in the table: it is large, and a part of one event has
// nothing else in its tables.
func (d *decoder) newShape(sh *shape) (err error) {
	if sh.flags, err = d.uvarint(); err != nil {
		return err
	}
	switch {
	case sh.flags&^allFlags != 0:
		return errBadFlags
	case sh.flags == hasCode:
		d.shapes = d.shapes[:len(d.shapes)-1] // a shape with a single event
		return nil
	case sh.flags&hasRecord != 0:
		return d.newRecordShape(sh)
	case sh.flags&(hasSkipped|hasCode) != 0:
		return errBadFlags
	}
	for _, s := range [...]*string{&sh.enter, &sh.exit, &sh.op, &sh.at} {
		if *s, err = d.name(); err != nil {
			return err
		}
	}
	for _, n := range [...]*int{&sh.after, &sh.with} {
		u, err := d.uvarint()
		if err != nil {
			return err
		}
		if u > uint64(len(d.raw)) {
			return errShort
		}
		*n = int(u)
	}
	for _, names := range [...]*[]string{&sh.set, &sh.global, &sh.write, &sh.extra} {
		if *names, err = d.nameList(); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) nameList() ([]string, error) {
	if len(d.raw) > 0 && d.raw[0] == 0 { // nearly always
		d.raw = d.raw[1:]
		return nil, nil
	}
	n, rest, err := cutCount(d.raw, 1)
	if err != nil {
		return nil, err
	}
	d.raw = rest
	if d.names += n; d.names > maxTable {
		return nil, errFullTable
	}
	var names []string
	for range n {
		s, err := d.name()
		if err != nil {
			return nil, err
		}
		names = append(names, s)
	}
	return names, nil
}

// name reads a reference to a string, or a new one.
func (d *decoder) name() (string, error) {
	u, err := d.uvarint()
	if err != nil || u == 0 {
		return "", err
	}
	if u > 1 {
		if u-2 >= uint64(len(d.strings)) {
			return "", errBadRef
		}
		return d.strings[u-2], nil
	}
	b, rest, err := cutBytes(d.raw)
	if err != nil {
		return "", err
	}
	if len(d.strings) >= maxTable {
		return "", errFullTable
	}
	d.raw = rest
	d.strings = append(d.strings, d.recent.str(b))
	return d.strings[len(d.strings)-1], nil
}

// taskRef reads a reference to a task, or a new one, and returns its table index.
func (d *decoder) taskRef(near int) (int, error) {
	delta, err := d.varint()
	if err != nil {
		return 0, err
	}
	i := int64(near) + delta
	if i < 0 || i > int64(len(d.tasks)) {
		return 0, errBadRef
	}
	if i < int64(len(d.tasks)) {
		return int(i), nil
	}
	name, rest, err := cutBytes(d.raw)
	if err != nil {
		return 0, err
	}
	count, rest, err := cutUvarint(rest)
	if err != nil {
		return 0, err
	}
	if count > math.MaxInt/2 {
		return 0, errBadVarint
	}
	if len(d.tasks) >= maxTable {
		return 0, errFullTable
	}
	d.raw = rest
	t := decodedTask{name: d.recent.str(name), count: int(count)}
	d.tasks = append(d.tasks, t)
	return int(i), d.enter(t)
}

// enter checks a new task of the table.
func (d *decoder) enter(t decodedTask) error {
	if d.counts == nil {
		return nil
	}
	switch d.counts[t.name] {
	case inTable:
		return errTwice
	case t.count:
		d.counts[t.name] = inTable
		return nil
	}
	return errCount
}

func (d *decoder) refs(dst []Ref, n int) ([]Ref, error) {
	for range n {
		i, err := d.taskRef(d.task)
		if err != nil {
			return dst, err
		}
		back, err := d.varint()
		if err != nil {
			return dst, err
		}
		k := int64(d.tasks[i].count) - back
		if k > math.MaxInt {
			return dst, errBadVarint
		}
		dst = append(dst, Ref{d.tasks[i].name, int(k)})
	}
	return dst, nil
}

func (d *decoder) bindings(dst []Binding, names []string, left *int) ([]Binding, error) {
	for _, name := range names {
		v, err := d.value(left)
		if err != nil {
			return dst, err
		}
		dst = append(dst, Binding{name, v})
	}
	return dst, nil
}

// value reads a value. It reuses short values that were read before.
func (d *decoder) value(left *int) (Value, error) {
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
		return v, nil
	}
	v, err := d.newValue(left)
	if err != nil {
		return v, err
	}
	if len(d.values) >= poolStrings {
		clear(d.values)
	}
	d.values[string(key)] = v
	return v, nil
}

func (d *decoder) newValue(left *int) (Value, error) {
	v, rest, err := decodeValue(d.raw, d.depth, left)
	d.raw = rest
	return v, err
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
