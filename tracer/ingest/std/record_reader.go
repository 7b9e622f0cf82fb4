package std

import (
	"cmp"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/cespare/xxhash/v2"
)

// recordReader yields the records of a parsed log: the kept records, or the records of the log as
// it is read again.
type recordReader struct {
	*log
	next  int
	again *scanner       // nil if they were kept
	sum   *xxhash.Digest // of the lines that were read again
}

// newPass returns a pass over the records that were kept, or over the log in again unless that is
// nil.
func newPass(l *log, again *scanner) recordReader {
	return recordReader{log: l, again: again, sum: xxhash.New()}
}

// read returns the next record, or the error that ends the log.
func (p *recordReader) read() (*record, error) {
	if p.next == p.count {
		if p.again != nil && p.sum.Sum64() != p.log.sum.Sum64() {
			return nil, p.changed("the log has other lines than before")
		}
		return nil, cmp.Or(p.broken, io.EOF)
	}
	p.next++
	if p.again == nil {
		return p.resolveTwins(&p.records[(p.next-1)/block][(p.next-1)%block]), nil
	}
	if !p.again.Scan() {
		return nil, cmp.Or(p.again.Err(), p.changed("the log is shorter than before"))
	}
	known, number := len(p.names), int32(p.again.Number())
	r, err := p.record(p.again.Line(), number)
	if err != nil || len(p.names) > known {
		return nil, p.changed("the log has other lines than before")
	}
	sumLine(p.sum, p.again.Line(), number)
	return p.resolveTwins(&r), nil
}

// resolveTwins gives the threads of forks and joins the names that their lines have.
func (p *recordReader) resolveTwins(r *record) *record {
	if twin, ok := p.twins[r.operand]; ok && (r.operation == fork || r.operation == join) {
		r.operand = twin
	}
	return r
}

// reasonFor returns the reason for an impossible record: that the log has changed, if it has, and
// else the error.
func (p *recordReader) reasonFor(err error) error {
	for {
		switch _, ends := p.read(); ends {
		case nil:
		case io.EOF, p.broken:
			return err
		default:
			return ends
		}
	}
}

func (p *recordReader) changed(reason string) error {
	return &event.Error{Pos: p.name, Reason: reason, Remedy: "check it when it is no longer written"}
}
