package kafka

import (
	"fmt"
	"time"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// noteDelivered notes that brokers have a record.
func (p *Producer) noteDelivered(r *record.Record) {
	p.stats.Records++
	p.stats.Events += int64(r.Events)
	p.stats.Bytes += int64(len(r.Value))
	if p.warned {
		p.warned = false
		p.warn("%s: goes on after %s", p.to, time.Since(p.since).Round(time.Second))
	}
	p.since = time.Now()
	p.watch()
}

// watch ensures that look is called while records wait. look calls it again.
func (p *Producer) watch() {
	if p.watching || p.waiting == 0 {
		return
	}
	if next := p.next(); next > 0 {
		p.watching = true
		p.quiet.Reset(time.Until(p.since.Add(next)))
	}
}

// next returns the length of silence after which look must act next, 0 if none.
func (p *Producer) next() time.Duration {
	warn := p.opt.Warn != nil && !p.warned
	switch {
	case warn && p.opt.Patience > 0:
		return min(p.opt.quietAfter, p.opt.Patience)
	case warn:
		return p.opt.quietAfter
	}
	return p.opt.Patience
}

// checkSilence checks how long brokers have been silent.
func (p *Producer) checkSilence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watching = false
	quiet := time.Since(p.since)
	switch {
	case p.waiting == 0:
		return
	case p.opt.Patience > 0 && quiet >= p.opt.Patience:
		p.end(&awayError{p.to, p.opt.Patience, p.contact.why()})
		return
	case quiet >= p.opt.quietAfter && !p.warned:
		p.warned = true
		p.warn("%s: no broker has taken anything for %s (%s); %s waiting", p.to, p.opt.quietAfter, p.contact.why(),
			count(p.waiting, "record"))
	}
	p.watch()
}

func (p *Producer) warn(format string, args ...any) {
	if p.opt.Warn != nil {
		p.opt.Warn(fmt.Sprintf(format, args...))
	}
}
