package reports

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"google.golang.org/protobuf/encoding/protowire"
)

// writePerfetto writes a trace for Perfetto: the runs whose order is known, and for each piece of
// evidence the order that leads there, with a track for each goroutine, a slice for each event, and
// arrows from causes. Times are not measured: an event takes a microsecond.
func writePerfetto(w io.Writer, c *Collection) error {
	sequence := uint64(0)
	for _, d := range c.Drawings {
		sequence++
		if err := writePackets(w, d.Packets, sequence); err != nil {
			return err
		}
	}
	for i, a := range c.evidence() {
		if len(a.Steps) == 0 {
			continue
		}
		sequence++
		if err := writePackets(w, drawSteps(a, i), sequence); err != nil {
			return err
		}
	}
	return nil
}

// writePackets writes packets, which have their lengths in front, as those of a sequence.
func writePackets(w io.Writer, packets []byte, sequence uint64) error {
	for len(packets) > 0 {
		packet, n := protowire.ConsumeBytes(packets)
		if n < 0 {
			return protowire.ParseError(n)
		}
		packets = packets[n:]
		text := protowire.AppendTag(nil, tracePacket, protowire.BytesType)
		text = protowire.AppendBytes(text, appendNumber(packet[:len(packet):len(packet)], packetSequence, sequence))
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// Drawing is a run in the form of Perfetto.
type Drawing struct {
	Name    string
	Packets []byte // each with its length in front, without the number of their sequence
}

// slot is how long an event takes, in nanoseconds. It is shown within the functions that it enters
// or leaves.
const (
	slot      = 1000
	slotBegin = 100
	slotEnd   = 800
	slotMark  = 850
	slotLeave = 900
)

// Draw takes the order of a run, if a format shows it.
func (c *Collection) Draw(name string, net *san.Net, source report.Source) {
	if c == nil || !c.Draws {
		return
	}
	if net.Events() > MostDrawn {
		c.LeaveOut(name)
		return
	}
	c.showRun(name, net, source)
	d := &drawer{perfetto: newPerfetto(fmt.Sprint("run ", len(c.Drawings), " ", name)), net: net}
	d.draw(event.Printable(name))
	c.Drawings = append(c.Drawings, &Drawing{Name: name, Packets: d.packets})
	c.drawn = d
}

type drawer struct {
	*perfetto
	net   *san.Net
	flows map[san.Action][]uint64 // the arrows that begin at an event
	ends  map[san.Action][]uint64 // and end there
	depth []int                   // how many functions each task is in
	slots int
}

// draw draws the whole run.
func (d *drawer) draw(name string) {
	d.process(name)
	for t := range san.Task(d.net.Tasks()) {
		d.track(int(t), event.Printable(d.net.Name(t)))
	}
	d.link()
	d.depth = make([]int, d.net.Tasks())
	d.each(func(a san.Action, first bool) {
		if first {
			d.slots++
		}
		d.event(a, int64(d.slots-1)*slot)
	})
	for t, depth := range d.depth {
		for range depth {
			d.end(t, int64(d.slots)*slot)
		}
	}
}

// each calls a function for each event in the recorded order, and says whether it is the first side
// of its action.
func (d *drawer) each(f func(a san.Action, first bool)) {
	count := make([]int32, d.net.Tasks())
	var before san.Action
	for _, t := range d.net.Recorded(0) {
		count[t]++
		a := san.Action{Task: t, K: count[t]}
		action := d.net.Canonical(a)
		f(a, action != before)
		before = action
	}
}

// link finds the arrows: to an event from those that it names as causes, to the first one of a
// goroutine from the go statement, and to the other sides of a joint action from the first.
func (d *drawer) link() {
	d.flows, d.ends = map[san.Action][]uint64{}, map[san.Action][]uint64{}
	var side san.Action
	d.each(func(a san.Action, first bool) {
		if by, ok := d.net.SpawnedBy(a.Task); ok && a.K == 1 && by.K > 0 {
			d.arrow(by, a)
		}
		for _, cause := range d.net.Causes(a) {
			if cause.Task != a.Task {
				d.arrow(cause, a)
			}
		}
		if first {
			side = a
		} else {
			d.arrow(side, a)
		}
	})
}

func (d *drawer) arrow(from, to san.Action) {
	id := d.flow()
	d.flows[from] = append(d.flows[from], id)
	d.ends[to] = append(d.ends[to], id)
}

// event draws an event, and the functions that it enters or leaves.
func (d *drawer) event(a san.Action, at int64) {
	info := d.net.Event(a)
	t := int(a.Task)
	if info.Enter != "" {
		d.depth[t]++
		d.begin(t, at, slice{name: event.Printable(info.Enter), category: "function", at: info.At})
	}
	name := event.Printable(d.net.Describe(a))
	if name == "" {
		name = "step"
	}
	d.begin(t, at+slotBegin, slice{name: name, category: "event", at: info.At, flows: d.flows[a], ends: d.ends[a]})
	d.end(t, at+slotEnd)
	if info.Exit != "" && d.depth[t] > 0 {
		d.depth[t]--
		d.end(t, at+slotLeave)
	}
}

// mark marks where in the drawn run the tasks of the evidence stand.
func (c *Collection) mark(trace string, r *tlcheck.Result) {
	if c == nil || c.drawn == nil || len(c.Drawings) == 0 || c.Drawings[len(c.Drawings)-1].Name != trace {
		return
	}
	d := c.drawn
	text := r.Name() + ": " + r.Verdict.String()
	switch {
	case r.Witness != nil && r.Net == d.net:
		for _, b := range r.Witness.TIVA {
			d.markAt(b.Task, d.slotOf(b.Task, func(a san.Action) bool { return int(a.K) <= r.Witness.Slice.At(b.Task) }), text+", "+b.TIV)
		}
	case r.Finding != nil:
		for _, p := range r.Finding.Parties {
			if p.Task == op.NoTask { // the runtime has no track
				continue
			}
			if t, ok := d.net.Lookup(r.Names.Task(p.Task).Name); ok {
				at := r.Names.Place(p.At).At
				d.markAt(t, d.slotOf(t, func(a san.Action) bool { return at == "" || d.net.Event(a).At == at }), text+", "+p.Does)
			}
		}
	}
	c.Drawings[len(c.Drawings)-1].Packets = d.packets
}

// slotOf returns the slot of the last event of a task for which f is true; else that of its last
// event; 0 for a task without events.
func (d *drawer) slotOf(t san.Task, f func(san.Action) bool) int64 {
	last, found, now := int64(0), int64(-1), int64(-1)
	d.each(func(a san.Action, first bool) {
		if first {
			now++
		}
		if a.Task == t {
			last = now
			if f(a) {
				found = now
			}
		}
	})
	if found >= 0 {
		return found
	}
	return last
}

func (d *drawer) markAt(t san.Task, at int64, text string) {
	d.instant(int(t), at*slot+slotMark, slice{name: event.Printable(text), category: "finding"})
}

// drawSteps draws the order that leads to evidence, and marks its end.
func drawSteps(a *report.Account, number int) []byte {
	p := newPerfetto(fmt.Sprint("steps ", number, " ", a.Fingerprint))
	p.process(event.Printable(a.Property + ", " + a.Trace + ": an order of operations. " + a.Lead))
	p.track(0, "finding")
	tracks := map[string]int{}
	flows, ends := map[int][]uint64{}, map[int][]uint64{}
	for i, s := range a.Steps {
		if _, ok := tracks[s.Task]; !ok {
			tracks[s.Task] = len(tracks) + 1
			p.track(tracks[s.Task], s.Task)
		}
		for _, cause := range s.After {
			id := p.flow()
			flows[cause], ends[i] = append(flows[cause], id), append(ends[i], id)
		}
	}
	for i, s := range a.Steps {
		at := int64(i) * slot
		p.begin(tracks[s.Task], at+slotBegin, slice{name: s.Does, category: "step", at: s.At, flows: flows[i], ends: ends[i]})
		p.end(tracks[s.Task], at+slotEnd)
	}
	p.instant(0, int64(len(a.Steps))*slot, slice{name: a.Property + ": " + a.Verdict, category: "finding", says: sentenceOf(a)})
	return p.packets
}
