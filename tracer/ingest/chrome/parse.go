package chrome

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

const remedy = "a trace of Chrome is an array of objects with the fields ph, pid, tid and ts, " +
	`or an object with one in "traceEvents"`

// kind is what an event says of its track.
type kind uint8

const (
	begin    kind = iota // of a slice
	end                  // of a slice
	complete             // a slice with its duration
	instant
	flow // begins, goes on or ends
)

// phases are the kinds of events with a time that are read.
var phases = map[string]kind{
	"B": begin, "E": end, "X": complete, "i": instant, "I": instant, "R": instant,
	"b": begin, "e": end, "n": instant, "S": begin, "F": end, "T": instant, "p": instant,
	"s": flow, "t": flow, "f": flow,
}

// mark is an event of a track.
type mark struct {
	kind       kind
	time, last int64 // nanoseconds; last is the end of a complete slice
	name       string
	args       []event.Binding
	sends      []string // flows that leave here
	receives   []string // flows that arrive here
	next       bool     // flows arrive where the next slice begins
	position
}

// position is where an event stands in the file.
type position struct{ line, number int }

// parser reads the events of a file.
type parser struct {
	name   string
	text   string
	charge func(bytes int64) error
	tracks *tracks

	decoder *json.Decoder
	offset  int
	line    int // of offset
	number  int // of events
}

// parse reads a file.
func parse(name, text string, charge func(int64) error) (*tracks, error) {
	p := &parser{name: name, text: text, charge: charge, tracks: newTracks(), line: 1}
	p.decoder = json.NewDecoder(strings.NewReader(text))
	if err := p.file(); err != nil {
		return nil, err
	}
	return p.tracks, nil
}

func (p *parser) file() error {
	switch t, err := p.decoder.Token(); {
	case err != nil:
		return p.invalid(err)
	case t == json.Delim('['):
		return p.events(true)
	case t != json.Delim('{'):
		return p.fault("neither an array nor an object")
	}
	found := false
	for p.decoder.More() {
		key, err := p.decoder.Token()
		if err != nil {
			return p.invalid(err)
		}
		if key != "traceEvents" {
			if err := p.decoder.Decode(new(json.RawMessage)); err != nil {
				return p.invalid(err)
			}
			continue
		}
		found = true
		if t, err := p.decoder.Token(); err != nil {
			return p.invalid(err)
		} else if t != json.Delim('[') {
			return p.fault(`"traceEvents" is no array`)
		}
		if err := p.events(false); err != nil {
			return err
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return p.invalid(err)
	}
	if !found {
		return p.fault(`no "traceEvents" in the object`)
	}
	return nil
}

// events reads the elements of an array. The end may be missing after one, and a comma may be the
// last character: a program that is killed while it writes leaves it so.
func (p *parser) events(mayLackEnd bool) error {
	for p.decoder.More() {
		if mayLackEnd && strings.TrimSpace(p.text[p.decoder.InputOffset():]) == "," {
			return nil
		}
		var raw json.RawMessage
		if err := p.decoder.Decode(&raw); err != nil {
			return p.invalid(err)
		}
		p.moveTo(int(p.decoder.InputOffset()) - len(raw))
		if err := p.event(raw); err != nil {
			return err
		}
	}
	_, err := p.decoder.Token()
	if mayLackEnd && errors.Is(err, io.EOF) {
		return nil
	}
	return p.invalid(err)
}

// moveTo counts the lines up to an offset, which is not before the last one.
func (p *parser) moveTo(offset int) {
	offset = min(offset, len(p.text))
	p.line += strings.Count(p.text[p.offset:offset], "\n")
	p.offset = offset
}

func (p *parser) invalid(err error) error {
	if err == nil {
		return nil
	}
	at := int(p.decoder.InputOffset())
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		at += mistake(p.text[at:])
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err, at = errors.New("unexpected end"), len(p.text)
	}
	p.moveTo(max(p.offset, at))
	return p.fault("bad JSON: " + event.Printable(err.Error()))
}

// mistake returns where a text that begins with a value, or with a comma and a value, is no JSON.
// The offsets of errors of a decoder do not count what is between values.
func mistake(text string) int {
	value := strings.TrimLeft(text, ", \t\r\n")
	before := len(text) - len(value)
	if bad, ok := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(value), new(json.RawMessage))); ok {
		return before + max(0, int(bad.Offset)-1)
	}
	return before
}

func (p *parser) fault(reason string) error {
	return &event.Error{Pos: fmt.Sprintf("%s:%d", p.name, p.line), Reason: reason, Remedy: remedy}
}

// event reads an element.
func (p *parser) event(raw []byte) error {
	var v event.Value
	if err := v.UnmarshalJSON(raw); err != nil {
		return p.fault(event.Printable(err.Error()))
	}
	if v.Kind() != event.Object {
		return p.fault("an event that is no object")
	}
	if err := p.charge(bytesOfMark + int64(v.Size())); err != nil {
		return err
	}
	e := element{v}
	phase := e.text("ph")
	if phase == "M" {
		p.tracks.describe(e)
		return nil
	}
	kind, known := phases[phase]
	if !known {
		return nil
	}
	m, err := e.mark(kind)
	if err != nil {
		return p.fault(err.Error())
	}
	p.number++
	m.position = position{p.line, p.number}
	p.tracks.of(e, phase).add(m)
	return nil
}

const bytesOfMark = 1 << 8 // about, with what becomes of it

// element is an event of a file.
type element struct{ event.Value }

// text returns a field that is a string or a number, "" if there is none.
func (e element) text(name string) string {
	v, _ := e.Field(name)
	switch v.Kind() {
	case event.String:
		return v.Str()
	case event.Int, event.Uint, event.Float:
		return v.String()
	}
	return ""
}

// time returns a field with microseconds, in nanoseconds.
func (e element) time(name string) (int64, error) {
	const most = math.MaxInt64 / 4000
	v, ok := e.Field(name)
	if ok && v.Kind() == event.String {
		var n event.Value
		if n.UnmarshalJSON([]byte(v.Str())) == nil {
			v = n
		}
	}
	switch {
	case v.Kind() == event.Int && v.Int() >= -most && v.Int() <= most:
		return v.Int() * 1000, nil
	case v.Kind() == event.Float && math.Abs(v.Float()) <= most:
		return int64(math.Round(v.Float() * 1000)), nil
	case !ok:
		return 0, fmt.Errorf("an event without %q", name)
	}
	return 0, fmt.Errorf("%q is no time in microseconds", name)
}

// mark reads what an event says of its track.
func (e element) mark(k kind) (m mark, err error) {
	m = mark{kind: k, name: e.text("name"), args: e.args()}
	if m.time, err = e.time("ts"); err != nil {
		return m, err
	}
	switch k {
	case complete:
		m.last = m.time
		if _, ok := e.Field("dur"); ok {
			duration, err := e.time("dur")
			if err != nil {
				return m, err
			}
			m.last += max(0, duration)
		}
		e.bind(&m)
	case begin:
		e.bind(&m)
	case flow:
		key := e.key("flow")
		switch e.text("ph") {
		case "s":
			m.sends = []string{key}
		case "t":
			m.sends, m.receives = []string{key}, []string{key}
		default:
			m.receives, m.next = []string{key}, e.text("bp") != "e"
		}
	}
	return m, nil
}

// bind adds the flows that a slice itself names.
func (e element) bind(m *mark) {
	id := e.text("bind_id")
	if id == "" {
		return
	}
	key := fmt.Sprintf("bind %q", id)
	if in, _ := e.Field("flow_in"); in.Kind() == event.Bool && in.Bool() {
		m.receives = []string{key}
	}
	if out, _ := e.Field("flow_out"); out.Kind() == event.Bool && out.Bool() {
		m.sends = []string{key}
	}
}

// key is the same for events with the same category, name and id. Ids can be of one process alone.
func (e element) key(what string) string {
	id := e.text("id")
	if scoped, ok := e.Field("id2"); ok && scoped.Kind() == event.Object {
		s := element{scoped}
		if id = s.text("global"); id == "" {
			id = s.text("local") + " in " + e.text("pid")
		}
	}
	return fmt.Sprintf("%s %q %q %q", what, e.text("cat"), e.text("name"), id)
}

// args returns the variables of an event.
func (e element) args() []event.Binding {
	args, ok := e.Field("args")
	if !ok || args.Kind() != event.Object {
		return nil
	}
	var all []event.Binding
	for _, b := range args.Fields() {
		if b.Name != "" {
			all = append(all, b)
		}
	}
	return all
}
