package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// partition is a partition that a member has in a generation.
type partition struct {
	group      *Group
	number     int32
	member     string // under which its offsets are committed
	generation int32
	processor  Processor
	done       chan struct{} // closed when run has returned
	ctx        context.Context
	cancel     context.CancelFunc // of what it waits for

	metadata string // that was committed before

	mu       sync.Mutex
	ready    chan struct{} // holds something if the fields below say something new
	records  []*kgo.Record // fetched, and not taken
	bytes    int           // of them
	high     int64         // behind the last record of the topic
	stopping bool
	saving   bool // when stopping
	next     int64
	saved    time.Time
	snapshot int
	paused   bool
}

func newPartition(g *Group, number int32, offset int64, metadata string) *partition {
	p := &partition{
		group: g, number: number, member: g.member, generation: g.generation,
		done: make(chan struct{}), ready: make(chan struct{}, 1), metadata: metadata, next: offset,
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// put adds fetched records. If many wait no more are fetched.
func (p *partition) put(records []*kgo.Record, high int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.high = high
	for _, r := range records {
		p.bytes += len(r.Value) + len(r.Key)
	}
	p.records = append(p.records, records...)
	if p.bytes > queueBytes && !p.paused {
		p.paused = true
		p.group.client.PauseFetchPartitions(p.itself())
	}
	p.wake()
}

// itself names the partition for the client.
func (p *partition) itself() map[string][]int32 {
	return map[string][]int32{p.group.config.Address.Topic: {p.number}}
}

func (p *partition) wake() {
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// stop makes run return soon. Saving the state may take the member's grace.
func (p *partition) stop(save bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopping, p.saving = true, save
	p.wake()
	if !save {
		p.cancel()
		return
	}
	time.AfterFunc(p.group.config.Grace, p.cancel)
}

// run is the work on the partition.
func (p *partition) run() {
	defer close(p.done)
	defer p.cancel()
	defer func() {
		if r := recover(); r != nil {
			p.group.fail(&PanicError{Value: r, Stack: stack()})
		}
	}()
	if err := p.load(); err != nil {
		if p.ctx.Err() == nil {
			p.group.fail(fmt.Errorf("partition %d: %w", p.number, err))
		}
		return
	}
	defer p.processor.Drop()
	if err := p.work(); err != nil && p.ctx.Err() == nil {
		p.group.fail(fmt.Errorf("partition %d: %w", p.number, err))
	}
}

// load makes the processor, from the last snapshot if there is one.
func (p *partition) load() error {
	var state []byte
	if p.metadata != "" {
		at, err := parsePointer(p.metadata)
		if err != nil {
			return err
		}
		if state, err = p.group.snapshots.read(p.ctx, at); err != nil {
			return err
		}
	}
	var err error
	p.processor, err = p.group.config.New(p.number, state)
	return err
}

// work takes records, and saves the state now and then, until the partition is given up.
func (p *partition) work() error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	start := time.Now()
	last, pause := start, p.group.config.Every // when the state was saved, and not to be saved again before
	committed := p.next
	for {
		select {
		case <-p.ready:
		case now := <-tick.C:
			p.processor.Tick(now)
		}
		stopping := p.take(last.Add(pause))
		now := time.Now()
		switch {
		case p.next == committed || stopping && !p.isSaving():
		case stopping || now.Sub(last) >= pause:
			saved, err := p.save()
			if err != nil {
				return err
			}
			if saved {
				committed = p.next
			}
			last = time.Now()
			pause = max(p.group.config.Every, 10*last.Sub(now)) // saving takes a tenth of the time at most
		}
		if stopping {
			return nil
		}
	}
}

// save is a checkpoint, or says why there can be none now.
func (p *partition) save() (saved bool, err error) {
	log := p.group.config.Log.Warn().Int32("partition", p.number)
	switch err := p.checkpoint(); {
	case err == nil:
		return true, nil
	case fenced(err):
		log.Msg("not saved: the partition has another owner, who does again what was not saved")
		p.stop(false)
	case errors.Is(err, kerr.RebalanceInProgress):
		log.Msg("not saved: a rebalance is in progress")
	case errors.Is(err, errTorn):
		log.Err(err).Msg("not saved")
	default:
		return false, err
	}
	return false, nil
}

// take takes the records that are there, until it is time to save. It reports whether the partition is to be given up.
func (p *partition) take(until time.Time) (stopping bool) {
	for {
		p.mu.Lock()
		records := p.records
		p.records, p.bytes, stopping = nil, 0, p.stopping
		if p.paused {
			p.paused = false
			p.group.client.ResumeFetchPartitions(p.itself())
		}
		p.mu.Unlock()
		if stopping || len(records) == 0 {
			return stopping
		}
		now := time.Now()
		for i, r := range records {
			if i%64 == 63 {
				if now = time.Now(); p.isStopping() {
					return true
				}
			}
			p.one(r, now)
		}
		if now.After(until) {
			return false
		}
	}
}

func (p *partition) isStopping() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopping
}

func (p *partition) isSaving() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.saving
}

// one takes a record, unless it is part of the state.
func (p *partition) one(r *kgo.Record, now time.Time) {
	if r.Offset < p.next {
		return
	}
	p.processor.Take(recordOf(r), now)
	p.mu.Lock()
	p.next = r.Offset + 1
	p.mu.Unlock()
}

// recordOf returns what a record of the client is.
func recordOf(r *kgo.Record) *record.Record {
	rec := &record.Record{Run: string(r.Key), Value: r.Value, At: fmt.Sprintf("%s/%d@%d", r.Topic, r.Partition, r.Offset)}
	headers := make([]record.Header, len(r.Headers))
	for i, h := range r.Headers {
		headers[i] = record.Header{Key: h.Key, Value: h.Value}
	}
	rec.Bad = rec.SetHeaders(headers)
	return rec
}

// checkpoint saves the state of the processor.
func (p *partition) checkpoint() error {
	if err := p.processor.Flush(p.ctx); err != nil {
		return fmt.Errorf("reporting: %w", err)
	}
	state, err := p.processor.State()
	if err != nil {
		return err
	}
	at, err := p.group.snapshots.write(p.ctx, p.number, p.next, state)
	if err != nil {
		return fmt.Errorf("writing a snapshot: %w", err)
	}
	if err := p.group.commit(p.ctx, p, p.next, at.String()); err != nil {
		return fmt.Errorf("committing offset %d: %w", p.next, err)
	}
	p.mu.Lock()
	p.saved, p.snapshot = time.Now(), at.bytes
	p.mu.Unlock()
	p.group.snapshots.trim(p.ctx, at)
	return nil
}

func (p *partition) stats() PartitionStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PartitionStats{Partition: p.number, Next: p.next, Lag: max(0, p.high-max(p.next, 0)), Saved: p.saved, Snapshot: p.snapshot}
}
