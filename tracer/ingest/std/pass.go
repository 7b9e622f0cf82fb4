package std

import (
	"cmp"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/lines"
)

// pass yields the records of a log that was parsed: those that were kept, or those of the log that is read again.
type pass struct {
	*log
	again *lines.Scanner // nil if they were kept
	next  int
}

// read returns the next record, or what ends the log.
func (p *pass) read() (*record, error) {
	if p.next == p.count {
		return nil, cmp.Or(p.broken, io.EOF)
	}
	p.next++
	if p.again == nil {
		return &p.records[p.next-1], nil
	}
	if !p.again.Scan() {
		return nil, cmp.Or(p.again.Err(), p.changed("the log is shorter than before"))
	}
	known := len(p.names)
	r, err := p.record(p.again.Line(), int32(p.again.Number()))
	if len(p.names) > known {
		return nil, p.changed("the log has other lines than before")
	}
	return &r, err
}

func (p *pass) changed(reason string) error {
	return &event.Error{Pos: p.name, Reason: reason, Remedy: "check it when nobody writes it"}
}
