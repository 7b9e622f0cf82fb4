package ndjson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// link locates the keys of messages that a line sends or receives.
type link struct {
	key  []path // a list of several is one key, of all of them
	when condition
}

// repetition says what it means that a key is sent again.
type repetition uint8

const (
	unrepeated repetition = iota // it is an error
	inOrder                      // the n-th receive is that of the n-th send
	first                        // each receive comes after the first send
)

var repetitions = [...]string{unrepeated: "error", inOrder: "in order", first: "first"}

func (m *Mapping) readRepeated(v event.Value) error {
	i := -1
	if v.Kind() == event.String {
		i = slices.Index(repetitions[:], v.Str())
	}
	if i < 0 {
		return fmt.Errorf(`must be "error", "in order" or "first", not %.40s`, event.Printable(v.String()))
	}
	m.repeated = repetition(i)
	return nil
}

func linkOf(v event.Value) (*link, error) {
	if v.Kind() == event.String || v.Kind() == event.List {
		key, err := keyOf(v)
		return &link{key: key}, err
	}
	if v.Kind() != event.Object {
		return nil, fmt.Errorf(`must be the path of a field, a list of such paths, or like ` +
			`{"key": "id", "if": {"msg": "sent"}}`)
	}
	l := &link{}
	for _, f := range v.Fields() {
		var err error
		switch f.Name {
		case "key":
			l.key, err = keyOf(f.Value)
		case "if":
			l.when, err = conditionOf(f.Value)
		default:
			err = unknownFieldError(f.Name, []string{"key", "if"})
		}
		if err != nil {
			return nil, err
		}
	}
	if l.key == nil {
		return nil, fmt.Errorf(`"key" is missing: name the field that has the key of the message`)
	}
	return l, nil
}

// keyOf reads a path, or a list of paths.
func keyOf(v event.Value) ([]path, error) {
	if v.Kind() != event.List {
		field, err := pathOf(v)
		return []path{field}, err
	}
	var key []path
	for _, f := range v.List() {
		field, err := pathOf(f)
		if err != nil {
			return nil, err
		}
		key = append(key, field)
	}
	if key == nil {
		return nil, fmt.Errorf("an empty list is no key")
	}
	return key, nil
}

// keys returns the keys of the messages that a line sends or receives.
func (l *link) keys(line event.Value) ([]string, error) {
	if l == nil || !l.when.holds(line) {
		return nil, nil
	}
	if len(l.key) > 1 {
		return l.keyOfSeveral(line), nil
	}
	v, ok := l.key[0].lookup(line)
	if !ok || v.Kind() == event.Null {
		return nil, nil
	}
	all := []event.Value{v}
	if v.Kind() == event.List {
		all = v.List()
	}
	var keys []string
	for _, v := range all {
		key, ok := text(v)
		switch {
		case v.Kind() == event.Object:
			key = canonical(v)
		case !ok:
			return nil, fmt.Errorf("the field %s, which has the key of a message, is no string, number or "+
				"object: %.40s", l.key[0], event.Printable(v.String()))
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// keyOfSeveral returns the key that several fields are together. Programs leave out fields that are
// zero, so only a line that has none of them has no key.
func (l *link) keyOfSeveral(line event.Value) []string {
	var parts []string
	has := false
	for _, field := range l.key {
		v, ok := field.lookup(line)
		if !ok {
			v = event.NullValue()
		}
		has = has || v.Kind() != event.Null
		parts = append(parts, canonical(v))
	}
	if !has {
		return nil
	}
	return []string{strings.Join(parts, ",")}
}

// canonical returns a text that is the same for equal values: a number equals the string of its
// digits, and the fields of an object have no order.
func canonical(v event.Value) string {
	if s, ok := text(v); ok {
		return strconv.Quote(s)
	}
	var parts []string
	switch v.Kind() {
	case event.List:
		for _, e := range v.List() {
			parts = append(parts, canonical(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case event.Object:
		for _, f := range v.Fields() {
			parts = append(parts, strconv.Quote(f.Name)+":"+canonical(f.Value))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.String()
}

// link finds the sends for the receives of the records.
func (r *Run) link() error {
	received := map[string]*receipts{}
	for i := range r.records {
		rec := &r.records[i]
		for _, key := range rec.receives {
			sends, n := r.sent[key], 0
			if len(sends) > 1 {
				var err error
				if n, err = r.nextReceipt(received, rec, key); err != nil {
					return err
				}
			}
			switch {
			case n < len(sends):
				if !slices.Contains(rec.causes, sends[n]) {
					rec.causes = append(rec.causes, sends[n])
				}
			case r.mapping.unmatched:
				r.unsent++
			case n > 0:
				return r.fault(rec, fmt.Sprintf("the key %.60q, which %d lines send, is received once more", key,
					len(sends)), `"repeated": "first" in the mapping is for messages that are received more often `+
					`than they are sent`)
			default:
				return r.fault(rec, fmt.Sprintf("no line sends the key %.60q, which this one receives", key),
					`is a part of the log missing? "unmatched": "accept" in the mapping goes without it`)
			}
		}
	}
	return nil
}

// receipts are the receipts of a repeated key so far.
type receipts struct {
	task  int32
	count int
}

// nextReceipt returns which of the sends of a repeated key this record receives. Sends of different
// tasks have no order, nor have their receipts.
func (r *Run) nextReceipt(received map[string]*receipts, rec *record, key string) (int, error) {
	so := received[key]
	if so == nil {
		so = &receipts{task: rec.task}
		received[key] = so
		sends := r.sent[key]
		for _, i := range sends {
			if err := r.checkOneTask(rec, key, "sent", r.records[sends[0]].task, r.records[i].task); err != nil {
				return 0, err
			}
		}
	}
	if r.mapping.repeated == first {
		return 0, nil
	}
	so.count++
	return so.count - 1, r.checkOneTask(rec, key, "received", so.task, rec.task)
}

func (r *Run) checkOneTask(rec *record, key, what string, one, other int32) error {
	if one == other {
		return nil
	}
	return r.fault(rec, fmt.Sprintf("the repeated key %.60q is %s by the tasks %.60q and %.60q, whose lines have "+
		"no order", key, what, r.tasks[one].name, r.tasks[other].name), "name more fields as the key, in a list")
}
