package ndjson

import (
	"fmt"
	"maps"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// kind is the kind of a line's synchronisation.
type kind uint8

const (
	doNone kind = iota // nothing
	doLock
	doUnlock
	doRLock
	doRUnlock
	doSend
	doReceive
	doClose
	doAdd
	doDone
	doWait
	doStart
	doJoin
	doEnd
	doRead
	doWrite

	// The task is about to do something that may have to wait.
	tryLock
	tryRLock
	trySend
	tryReceive
	tryWait
)

// kinds are the words of mappings.
var kinds = [...]string{
	doNone: "none", doLock: "lock", doUnlock: "unlock", doRLock: "rlock", doRUnlock: "runlock",
	doSend: "send", doReceive: "receive", doClose: "close", doAdd: "add", doDone: "done", doWait: "wait",
	doStart: "start", doJoin: "join", doEnd: "end", doRead: "read", doWrite: "write",
	tryLock: "locking", tryRLock: "rlocking", trySend: "sending", tryReceive: "receiving", tryWait: "waiting",
}

func (k kind) String() string { return kinds[k] }

func kindOf(word string) (kind, bool) {
	i := stdslices.Index(kinds[:], word)
	return kind(max(i, 0)), i >= 0
}

// isOfChannel reports whether the object of a kind is a channel.
func (k kind) isOfChannel() bool {
	switch k {
	case doSend, doReceive, doClose, trySend, tryReceive:
		return true
	}
	return false
}

// operations locates the kind of an operation in a line.
type operations struct {
	field path
	words map[string]kind
	rest  bool // other words are no operations
	when  condition
}

// operation is a line's description of one.
type operation struct {
	kind     kind
	object   string
	other    string // the task that is started or joined
	count    int64  // of an add or done
	capacity int64  // of a channel, or one of the following
}

const (
	unbounded = -1 // a send never waits
	unsaid    = -2 // not in this line
)

// maxCount bounds the count of a line, which keeps sums from overflowing.
const maxCount = 1 << 31

func operationsOf(v event.Value) (*operations, error) {
	o := &operations{words: map[string]kind{}}
	for k, word := range kinds {
		o.words[word] = kind(k)
	}
	if v.Kind() == event.String {
		var err error
		o.field, err = pathOf(v)
		return o, err
	}
	if v.Kind() != event.Object {
		return nil, fmt.Errorf(`must be the path of a field, or like {"field": "op", "kinds": {"acquired": "lock"}}`)
	}
	for _, f := range v.Fields() {
		var err error
		switch f.Name {
		case "field":
			o.field, err = pathOf(f.Value)
		case "kinds":
			err = o.readKinds(f.Value)
		case "if":
			o.when, err = conditionOf(f.Value)
		default:
			err = unknownFieldError(f.Name, []string{"field", "kinds", "if"})
		}
		if err != nil {
			return nil, err
		}
	}
	if o.field == nil {
		return nil, fmt.Errorf(`"field" is missing: name the field that has the kind of the operation`)
	}
	return o, nil
}

func (o *operations) readKinds(v event.Value) error {
	if v.Kind() != event.Object {
		return fmt.Errorf(`"kinds" must be an object of words of the log and kinds, like {"acquired": "lock"}`)
	}
	clear(o.words)
	for _, f := range v.Fields() {
		k, ok := doNone, false
		if f.Value.Kind() == event.String {
			k, ok = kindOf(f.Value.Str())
		}
		switch {
		case !ok:
			return fmt.Errorf("%.40s is no kind of operations: the kinds are %s", event.Printable(f.Value.String()),
				strings.Join(kinds[:], ", "))
		case f.Name != "*":
			o.words[f.Name] = k
		case k != doNone:
			return fmt.Errorf(`"*", which is any other word, can only be "none"`)
		default:
			o.rest = true
		}
	}
	return nil
}

// hasKinds reports whether the log has all of these kinds.
func (o *operations) hasKinds(all ...kind) bool {
	mapped := stdslices.Collect(maps.Values(o.words))
	return !stdslices.ContainsFunc(all, func(k kind) bool { return !stdslices.Contains(mapped, k) })
}

// synchronises are the kinds that order the tasks. Where one is missing, operations look unordered
// that are not.
var synchronises = []kind{
	doLock, doUnlock, doRLock, doRUnlock, doSend, doReceive, doClose, doAdd, doDone, doWait, doStart, doJoin,
}

// properties are the built-in properties that can be judged.
func (m *Mapping) properties() []string {
	var only []string
	o := m.operation
	if o.hasKinds(doLock, doUnlock) {
		only = append(only, "deadlock")
	}
	if m.capacity == nil || !o.hasKinds(synchronises...) {
		return only
	}
	if o.hasKinds(tryLock, tryRLock, trySend, tryReceive, tryWait) {
		only = append(only, "stuck")
	}
	only = append(only, "closed", "waitgroup", "unlock")
	if o.hasKinds(doRead, doWrite) {
		only = append(only, "race")
	}
	return only
}

// checkOperations reports errors in the fields about operations.
func (m *Mapping) checkOperations() error {
	if m.operation == nil {
		if m.object != nil || m.other != nil || m.count != nil || m.capacity != nil {
			return fmt.Errorf(`"object", "other", "count" and "capacity" are about operations, and need "operation", ` +
				`which is missing`)
		}
		return nil
	}
	if m.object == nil {
		return fmt.Errorf(`"object" is missing: name the field that has the lock, channel or variable of an operation`)
	}
	if m.other == nil && (m.operation.hasKinds(doStart) || m.operation.hasKinds(doJoin)) {
		return fmt.Errorf(`"other" is missing: name the field that has the task that is started or joined`)
	}
	if reads := m.operation.hasKinds(doRLock); reads != m.operation.hasKinds(doRUnlock) {
		has, lacks := doRLock, doRUnlock
		if !reads {
			has, lacks = lacks, has
		}
		return fmt.Errorf(`"operation": the kinds have %s but not %s, which belong together`, has, lacks)
	}
	if len(m.properties()) == 0 {
		return fmt.Errorf(`"operation": no built-in property can be judged from these kinds: ` +
			`deadlock needs lock and unlock`)
	}
	return nil
}

// capacity locates the capacity of a channel in a line, or is that of all channels.
type capacity struct {
	field path // nil: n is that of all
	n     int64
}

func capacityOf(v event.Value) (*capacity, error) {
	switch v.Kind() {
	case event.String:
		field, err := pathOf(v)
		return &capacity{field: field}, err
	case event.Int:
		return &capacity{n: max(v.Int(), unbounded)}, nil
	}
	return nil, fmt.Errorf("must be the path of a field, or the number that all channels have, -1 if they have " +
		"no bound")
}

// capacityIn returns the capacity in a line.
func (c *capacity) capacityIn(line event.Value) (int64, error) {
	if c == nil {
		return unbounded, nil
	}
	if c.field == nil {
		return c.n, nil
	}
	v, ok := c.field.lookup(line)
	if !ok || v.Kind() == event.Null {
		return unsaid, nil
	}
	if v.Kind() != event.Int {
		return 0, fmt.Errorf("the field %s, which has the capacity of a channel, is no number of elements: %.40s",
			c.field, event.Printable(v.String()))
	}
	return max(v.Int(), unbounded), nil
}

// operationIn returns the operation of a line, nil if it has none.
func (m *Mapping) operationIn(line event.Value) (o *operation, remedy string, err error) {
	if m.operation == nil || !m.operation.when.holds(line) {
		return nil, "", nil
	}
	v, ok := m.operation.field.lookup(line)
	if !ok || v.Kind() == event.Null {
		return nil, "", nil
	}
	word, _ := text(v)
	k, ok := m.operation.words[word]
	switch {
	case !ok && !m.operation.rest:
		return nil, `say its kind in "kinds" of "operation" in the mapping, or "none"; "*": "none" is for all others`,
			fmt.Errorf("unknown operation %.60s", event.Printable(v.String()))
	case k == doNone:
		return nil, "", nil
	}
	o = &operation{kind: k}
	return o, `narrow "operation" with "if" in the mapping, or name another field`, o.fill(m, line)
}

// fill reads the object of the operation from a line.
func (o *operation) fill(m *Mapping, line event.Value) (err error) {
	switch o.kind {
	case doEnd:
		return nil
	case doStart, doJoin:
		o.other, err = requiredText(line, m.other, "which names the task that is started or joined")
		return err
	}
	if o.object, err = requiredText(line, m.object, "which names what the operation is on"); err != nil {
		return err
	}
	if o.kind.isOfChannel() {
		o.capacity, err = m.capacity.capacityIn(line)
	}
	o.count = 1
	if (o.kind == doAdd || o.kind == doDone) && m.count != nil {
		if v, ok := m.count.lookup(line); ok {
			if v.Kind() != event.Int || v.Int() < 1 || v.Int() > maxCount {
				return fmt.Errorf("the field %s, which has a count, is no number of at least 1 and at most 2^31: %.40s",
					m.count, event.Printable(v.String()))
			}
			o.count = v.Int()
		}
	}
	return err
}
