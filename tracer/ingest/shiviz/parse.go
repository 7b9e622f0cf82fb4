package shiviz

import (
	"fmt"
	"math"
	"regexp"
	stdslices "slices"
	"strings"
	"unsafe"

	"github.com/antichain-go/antichain/tracer/event"
)

// log is the content of a log.
type log struct {
	name    string
	names   []string         // of hosts, in order of first appearance
	numbers map[string]int32 // of hosts
	records []record         // in order of the log
	byHost  [][]int32        // by host: the records, after arrange the k-th event at k-1
	// of the records: that of the log, but with each host's in the order of its clock
	order []int32
}

// record is an event.
type record struct {
	host   int32
	k      int32 // the clock's own entry
	line   int   // of its clock
	text   string
	others []event.Binding
	clock  []entry // the other entries that are not 0, by host
}

type entry struct{ host, k int32 }

// parser scans a text.
type parser struct {
	log
	layout *layout
	header string                  // the line that has the layout, "" if none has
	charge func(bytes int64) error // before so many more are allocated
	text   string
	line   int // of the place at
	at     int
}

// parse reads a text from begin on.
func parse(name, text string, f *form, begin int, charge func(bytes int64) error) (*log, error) {
	l := f.layout
	p := &parser{log: log{name: name, numbers: make(map[string]int32)}, layout: l, header: f.header, charge: charge,
		text: text, line: 1}
	covered := begin // up to here
	for pos := begin; pos < len(text); {
		m := l.FindStringSubmatchIndex(text[pos:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += pos
			}
		}
		if m[0] == m[1] {
			pos = m[1] + 1
			continue
		}
		if err := p.between(covered, m[0]); err != nil {
			return nil, err
		}
		if err := p.event(m); err != nil {
			return nil, err
		}
		covered, pos = m[1], m[1]
		if pos < len(text) && text[pos] == '\n' {
			pos++ // ^ is true where a search begins
		}
	}
	if err := p.between(covered, len(text)); err != nil {
		return nil, err
	}
	if len(p.records) == 0 {
		return nil, &event.Error{Pos: name, Reason: "no event in the log", Remedy: remedyLayout}
	}
	return &p.log, p.arrange()
}

const remedyCount = "a host's own entry counts its events one by one from 1; a log of several runs needs a line " +
	"between them, like === NAME ==="

// arrange sorts the events of each host. Their lines may be out of order: a program with threads
// may take the time of two events before it writes either.
func (l *log) arrange() error {
	for host, rs := range l.byHost {
		stdslices.SortStableFunc(rs, func(i, j int32) int { return int(l.records[i].k) - int(l.records[j].k) })
		for n, i := range rs {
			r := &l.records[i]
			switch k := int(r.k); {
			case k <= n:
				return &event.Error{
					Pos: l.pos(r),
					Reason: fmt.Sprintf("the clock of host %q counts %d for itself, as the one in line %d does",
						l.names[host], k, l.records[rs[n-1]].line),
					Remedy: remedyCount,
				}
			case k > n+1:
				return &event.Error{
					Pos: l.pos(r),
					Reason: fmt.Sprintf("the clock of host %q counts %d for itself, but there is no event that "+
						"counts %d", l.names[host], k, n+1),
					Remedy: remedyCount,
				}
			}
		}
	}
	l.sequence()
	return nil
}

// sequence computes order: an event that stands before an earlier one of its host waits for it.
func (l *log) sequence() {
	seen := make([]bool, len(l.records))
	done := make([]int, len(l.byHost))
	for i := range l.records {
		seen[i] = true
		h := l.records[i].host
		for rs := l.byHost[h]; done[h] < len(rs) && seen[rs[done[h]]]; done[h]++ {
			l.order = append(l.order, rs[done[h]])
		}
	}
}

const remedyLayout = `say what an event looks like with an expression that has the groups host, clock and event, ` +
	`like '(?<event>.*)\n(?<host>\S*) (?<clock>{.*})'`

// between checks that the text from one event to the next is blank.
func (p *parser) between(from, to int) error {
	gap := p.text[from:to]
	blank := 0
	var line string
	for {
		blank = len(gap) - len(strings.TrimLeft(gap[blank:], " \t\r\n"))
		if blank == len(gap) {
			return nil
		}
		line, _, _ = strings.Cut(gap[blank:], "\n")
		if p.header == "" || strings.TrimSpace(line) != p.header {
			break
		}
		blank += len(line) // the first line of another file, which was joined to this one
	}
	return &event.Error{
		Pos:    p.pos(from + blank),
		Reason: fmt.Sprintf("%.60q is not part of an event", line),
		Remedy: "remove it, or name it in the expression by an alternative without a host: EXPRESSION|#.*",
	}
}

// pos returns the position of an offset, at or after the previous one.
func (p *parser) pos(at int) string { return fmt.Sprintf("%s:%d", p.name, p.lineOf(at)) }

func (p *parser) lineOf(at int) int {
	if at < p.at {
		p.at, p.line = 0, 1
	}
	p.line += strings.Count(p.text[p.at:at], "\n")
	p.at = at
	return p.line
}

// event adds the event of a match.
func (p *parser) event(m []int) error {
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return p.text[m[2*i]:m[2*i+1]]
	}
	if m[2*p.layout.host] < 0 {
		return nil // text to be skipped
	}
	host := group(p.layout.host)
	place := m[2*p.layout.clock]
	if place < 0 {
		place = m[2*p.layout.host]
	}
	if host == "" {
		return p.errorAt(place, "an event without a host", "")
	}
	r := record{host: p.number(host), line: p.lineOf(place), text: group(p.layout.event)}
	if err := p.readClock(&r, group(p.layout.clock), place); err != nil {
		return err
	}
	for _, i := range p.layout.others {
		r.others = append(r.others, event.Binding{Name: p.layout.SubexpNames()[i], Value: event.StringValue(group(i))})
	}
	if err := p.chargeRecord(); err != nil {
		return err
	}
	p.byHost[r.host] = append(p.byHost[r.host], int32(len(p.records)))
	p.records = append(p.records, r)
	return nil
}

// chargeRecord reserves memory for another record: each time that all are copied, and now and then
// for their parts.
func (p *parser) chargeRecord() error {
	const every = 1 << 10
	switch n := len(p.records); {
	case n == cap(p.records):
		return p.charge(int64(n) * int64(unsafe.Sizeof(record{})) * 5 / 4)
	case n%every == 0:
		return p.charge(0)
	}
	return nil
}

func (p *parser) errorAt(at int, reason, remedy string) error {
	return &event.Error{Pos: p.pos(at), Reason: reason, Remedy: remedy}
}

func (p *parser) number(host string) int32 {
	n, ok := p.numbers[host]
	if !ok {
		n = int32(len(p.names))
		p.numbers[host] = n
		p.names = append(p.names, host)
		p.byHost = append(p.byHost, nil)
	}
	return n
}

var escapedClock = regexp.MustCompile(`^\{\s*\\"`)

// clockValue reads a clock, which may be a JSON string with the clock in it, with or without its
// quotes.
func clockValue(text string) (v event.Value, err error) {
	text = strings.TrimSpace(text)
	if escapedClock.MatchString(text) {
		text = `"` + text + `"`
	}
	if err := v.UnmarshalJSON([]byte(text)); err != nil || v.Kind() != event.String {
		return v, err
	}
	err = v.UnmarshalJSON([]byte(v.Str()))
	return v, err
}

const remedyClock = `a clock is a JSON object of hosts and numbers of events, like {"a":2,"b":1}`

// readClock reads the entries of a clock.
func (p *parser) readClock(r *record, text string, at int) error {
	v, err := clockValue(text)
	if err != nil {
		return p.errorAt(at, "bad clock: "+event.Printable(err.Error()), remedyClock)
	}
	if v.Kind() != event.Object {
		return p.errorAt(at, "bad clock: not an object", remedyClock)
	}
	for _, f := range v.Fields() {
		if f.Value.Kind() != event.Int || f.Value.Int() < 0 || f.Value.Int() > math.MaxInt32 {
			return p.errorAt(at, fmt.Sprintf("bad clock: the entry of host %q is no number of events: %.40s", f.Name,
				event.Printable(f.Value.String())), remedyClock)
		}
		e := entry{p.number(f.Name), int32(f.Value.Int())}
		switch {
		case e.host == r.host:
			r.k = e.k
		case e.k > 0:
			r.clock = append(r.clock, e)
		}
	}
	if r.k == 0 {
		return p.errorAt(at, fmt.Sprintf("the clock of host %q does not count the event itself", p.names[r.host]),
			"a host's own entry counts its events from 1")
	}
	stdslices.SortFunc(r.clock, func(a, b entry) int { return int(a.host) - int(b.host) })
	return nil
}
