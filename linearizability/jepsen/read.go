package jepsen

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/tracer/event"
)

// record is a call or a completion.
type record struct {
	at        int // its place in the text
	process   any
	kind      keyword // :type
	f         keyword
	value     any
	key       any
	completes *record // of a call: its completion; nil if there is none
	moment    int64
}

// The types of records.
const (
	invoke keyword = "invoke"
	ok     keyword = "ok"
	fail   keyword = "fail"
	info   keyword = "info"
)

// Read returns the operations of a history, in the order of their calls.
func Read(r io.Reader, name string) ([]*linearizability.Operation, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, &event.Error{Pos: event.Printable(name), Reason: err.Error(), Err: err}
	}
	p := &parser{name: name, text: string(text)}
	records, err := p.records()
	if err != nil {
		return nil, err
	}
	calls, err := p.match(records)
	if err != nil {
		return nil, err
	}
	if len(calls) == 0 {
		return nil, p.fail(0, "there is no operation: this is no history of Jepsen")
	}
	return p.operations(calls), nil
}

// records returns the records of clients.
func (p *parser) records() (all []*record, err error) {
	p.skip()
	if p.at == len(p.text) || strings.IndexByte("{[(#", p.text[p.at]) < 0 || isLogHead(p.text[p.at:]) {
		return p.lines()
	}
	begin, in := p.at, p.text[p.at] == '[' // one vector of maps
	if in {
		p.at++
	}
	for {
		p.skip()
		switch at := p.at; {
		case at == len(p.text) && in:
			return nil, p.fail(begin, "%q is not closed", '[')
		case at == len(p.text):
			return all, nil
		case in && p.text[at] == ']':
			in = false
			p.at++
		default:
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			r, err := p.record(at, v)
			if err != nil {
				return nil, err
			}
			all = append(all, r...)
		}
	}
}

// isLogHead reports whether a line begins with what only looks like EDN, as [main] INFO does.
func isLogHead(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return inLine.MatchString(line) && !strings.Contains(line, ":type")
}

// record returns the record that a map is, if it is one of a client.
func (p *parser) record(at int, v any) ([]*record, error) {
	m, isMap := v.(pairs)
	if !isMap {
		return nil, p.fail(at, "a record must be a map, as {:process 0, :type :invoke, :f :read, :value nil}")
	}
	kind, isKind := m.get("type").(keyword)
	f, hasF := m.get("f").(keyword)
	if !isKind || !hasF {
		return nil, p.fail(at, "a record must have :type and :f")
	}
	if _, isClient := m.get("process").(int64); !isClient {
		return nil, nil
	}
	r := &record{at: at, process: m.get("process"), kind: kind, f: f, value: m.get("value"), key: m.get("key")}
	return []*record{r}, nil
}

// inLine finds a record in a line: the process, its type, what it does and the value.
var inLine = regexp.MustCompile(`(?:^|\s)(-?\d+)\s+:(invoke|ok|fail|info)\s+:(\S+)[ \t]*(.*)$`)

// lines returns the records of a text of lines. Some lines have none.
func (p *parser) lines() (all []*record, err error) {
	at := 0
	for line := range strings.Lines(p.text) {
		if m := inLine.FindStringSubmatchIndex(strings.TrimRight(line, "\r\n")); m != nil {
			r := &record{
				at: at + m[2], process: line[m[2]:m[3]],
				kind: keyword(line[m[4]:m[5]]), f: keyword(line[m[6]:m[7]]),
			}
			if m[8] < m[9] {
				part := &parser{name: p.name, text: p.text[:at+m[9]], at: at + m[8]}
				if r.value, err = part.value(); err != nil {
					return nil, err
				}
			}
			all = append(all, r)
		}
		at += len(line)
	}
	return all, nil
}

// match gives calls their completions.
func (p *parser) match(records []*record) (calls []*record, err error) {
	open := map[any]*record{}
	for i, r := range records {
		r.moment = int64(i)
		call := open[r.process]
		switch {
		case r.kind == invoke && call != nil:
			return nil, p.fail(r.at, "process %v calls :%s before its call of :%s has completed",
				r.process, r.f, call.f)
		case r.kind == invoke:
			open[r.process] = r
			calls = append(calls, r)
		case r.kind != ok && r.kind != fail && r.kind != info:
			return nil, p.fail(r.at, ":type is :%s, and not :invoke, :ok, :fail or :info", r.kind)
		case call == nil && r.kind == info: // it says something
		case call == nil:
			return nil, p.fail(r.at, "process %v completes :%s, which it has not called", r.process, r.f)
		case call.f != r.f:
			return nil, p.fail(r.at, "process %v completes :%s, and has called :%s", r.process, r.f, call.f)
		default:
			call.completes = r
			delete(open, r.process)
		}
	}
	return calls, nil
}

// operations returns the operations that happened, or may have.
func (p *parser) operations(calls []*record) (all []*linearizability.Operation) {
	keyed := areKeyed(calls)
	line, counted := 1, 0
	for _, c := range calls {
		line += strings.Count(p.text[counted:c.at], "\n")
		counted = c.at
		if c.completes != nil && c.completes.kind == fail {
			continue
		}
		o := &linearizability.Operation{
			Method: string(c.f), Process: fmt.Sprint(c.process), Call: c.moment, Result: linearizability.Unknown,
			At: fmt.Sprintf("%s:%d", p.name, line),
		}
		if keyed {
			o.Object = plain(c.value.(list)[0])
		} else if c.key != nil {
			o.Object = plain(c.key)
		}
		argument := c.argument(keyed)
		if pair, isList := argument.(list); isList && o.Method == "cas" {
			for _, v := range pair {
				o.Arguments = append(o.Arguments, value(v))
			}
		} else if argument != nil {
			o.Arguments = []linearizability.Value{value(argument)}
		}
		if o.Unfinished = c.completes == nil || c.completes.kind == info; !o.Unfinished {
			o.Return = c.completes.moment
			o.Result = result(o, value(c.completes.argument(keyed)))
		}
		all = append(all, o)
	}
	return all
}

// result returns what an operation gave that completed with a value. The value of one that was
// called with a value is that again. If it is one that can fail, it has not.
func result(o *linearizability.Operation, v linearizability.Value) linearizability.Value {
	switch {
	case o.Method == "cas" || o.Method == "trylock":
		return true
	case len(o.Arguments) == 0:
		return v
	}
	return linearizability.Unknown
}

// argument returns the value of a record without its key.
func (r *record) argument(keyed bool) any {
	if pair, isList := r.value.(list); keyed && isList && len(pair) == 2 {
		return pair[1]
	}
	return r.value
}

// areKeyed reports whether all calls have pairs of a key and a value. A call without a value shows
// that it is not a pair of values, and so does a pair of values to compare and to swap.
func areKeyed(calls []*record) bool {
	shown := false
	for _, c := range calls {
		pair, isList := c.value.(list)
		if !isList || len(pair) != 2 {
			return false
		}
		if c.f == "cas" {
			_, isPair := pair[1].(list)
			shown = shown || isPair
		} else {
			shown = shown || pair[1] == nil
		}
	}
	return shown
}

// value returns a comparable value: that of a collection or a keyword is a text.
func value(v any) linearizability.Value {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v
	}
	return plain(v)
}

// plain returns a value of EDN as a text.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case keyword:
		return ":" + string(v)
	case symbol:
		return string(v)
	case list:
		var texts []string
		for _, x := range v {
			texts = append(texts, plain(x))
		}
		return "[" + strings.Join(texts, " ") + "]"
	case pairs:
		var texts []string
		for _, x := range v {
			texts = append(texts, plain(x[0])+" "+plain(x[1]))
		}
		slices.Sort(texts)
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return fmt.Sprint(v)
}
