package runs

import (
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// past has the latest of the runs that are over. Records of them that come again do not begin
// another run. There may be very many, so of each there is one text only.
type past struct {
	of     map[string]string // what was read (record.Sources.AppendRead), or failed, by id
	oldest []string          // ids, in the order in which the runs ended
	bytes  int               // of memory, roughly
}

// failed stands for a run that has failed: its later records are ignored.
const failed = ""

const (
	// maxPast bounds the number of runs that are remembered, and maxPastBytes their memory: the
	// names of runs and sources are untrusted, and may be long and many.
	maxPast      = 1 << 16
	maxPastBytes = 32 << 20

	pastOverhead = 130 // bytes of a run, beside its text
)

// add adds a run. Its id may be part of a longer text, which is not kept.
func (p *past) add(id, was string) {
	text := id + was
	id, was = text[:len(id)], text[len(id):]
	p.of[id] = was
	p.oldest = append(p.oldest, id)
	p.bytes += pastOverhead + len(text)
}

// keepWithin forgets the oldest runs until the others take so much memory.
func (p *past) keepWithin(bytes int) {
	for len(p.oldest) > 0 && (len(p.oldest) > maxPast || p.bytes > bytes) {
		first := p.oldest[0]
		p.bytes -= pastOverhead + len(first) + len(p.of[first])
		delete(p.of, first)
		p.oldest = p.oldest[1:]
	}
}

// snapshot writes the runs, or reads them into an empty past.
func (p *past) snapshot(c *snapshot.Codec) {
	n := c.Len(len(p.oldest))
	for i := 0; i < n && c.Err() == nil; i++ {
		var id, was string
		if !c.Reading() {
			id = p.oldest[i]
			was = p.of[id]
		}
		c.String(&id)
		if c.String(&was); c.Reading() && c.Err() == nil {
			p.read(c, id, was)
		}
	}
}

// read adds a run from a snapshot.
func (p *past) read(c *snapshot.Codec, id, was string) {
	if _, twice := p.of[id]; twice {
		c.Fail("run %q is over twice", id)
		return
	}
	if _, intact := record.RecallSources(was); was != failed && !intact {
		c.Fail("what was read of run %q is damaged", id)
		return
	}
	p.add(id, was)
}
