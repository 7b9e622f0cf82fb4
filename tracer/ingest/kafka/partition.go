package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// partition is a partition of a member in a generation.
type partition struct {
	group      *Group
	number     int32
	member     string // for committing its offsets
	generation int32
	processor  Processor
	done       chan struct{} // closed when run has returned
	ctx        context.Context
	cancel     context.CancelFunc // of its blocking calls

	metadata string // of the last commit; "" if there was none
	failing  outage // of checkpoints
	changed  bool   // the state is to be saved, even without new records
	source   string // of the last record

	mu       sync.Mutex
	ready    chan struct{} // full if the fields below have news
	batches  []*wire.Batch // read, and not taken
	bytes    int           // of them
	low      int64         // of the first record of the topic
	high     int64         // behind the last one
	lost     int64
	stopping bool
	saving   bool // when stopping
	excused  bool // no saving is due: there is another owner, or will be
	next     int64
	paused   bool
	numbers  PartitionStats // those without a field of their own
}

func newPartition(g *Group, number int32, offset int64, metadata string) *partition {
	p := &partition{
		group: g, number: number, member: g.generation.Member, generation: g.generation.Generation,
		done: make(chan struct{}), ready: make(chan struct{}, 1), metadata: metadata, next: offset,
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// put adds a batch. It pauses reading if more waits than there is room for.
func (p *partition) put(b *wire.Batch, room int) {
	if b.Next < 0 { // the start of the partition is unknown
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.Err == nil { // otherwise these are unknown
		p.low, p.high = b.Start, b.High
	}
	for i := range b.Records {
		p.bytes += b.Records[i].Memory()
	}
	p.batches = append(p.batches, b)
	if p.bytes > room && !p.paused {
		p.paused = true
		p.group.reader.Pause(p.number, true)
	}
	p.wake()
}

func (p *partition) wake() {
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// stop makes run return soon. Saving the state may take the member's grace; a state that is still
// being read is not waited for.
func (p *partition) stop(save bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopping, p.saving = true, save
	p.wake()
	if !save || !p.numbers.Loaded {
		p.cancel()
		return
	}
	time.AfterFunc(p.group.config.Grace, p.cancel)
}

// run processes the partition.
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
	err := p.work()
	if err != nil && p.ctx.Err() == nil {
		p.group.fail(fmt.Errorf("partition %d: %w", p.number, err))
	}
	if err == nil && p.isSaving() && p.metadata != "" && p.stats().Unsaved == 0 {
		p.group.keep(p)
	} else {
		p.processor.Drop()
	}
}

// load makes the processor, from the last snapshot if there is one.
func (p *partition) load() error {
	if p.processor != nil { // it has been kept
		p.mu.Lock()
		defer p.mu.Unlock()
		p.numbers.Loaded = true
		return nil
	}
	var state []byte
	start, size := time.Now(), 0
	if p.metadata != "" {
		at, err := parsePointer(p.metadata)
		if err != nil {
			return err
		}
		if id := p.group.snapshots.topicID(); at.topic != "" && id != "" && at.topic != id {
			return anewError(p.group.config.Address.Topic)
		}
		if state, err = p.group.snapshots.read(p.ctx, at); err != nil {
			return err
		}
		size = at.bytes
	}
	var err error
	if p.processor, err = p.group.config.New(p.number, state); err != nil {
		return err
	}
	took := time.Since(start)
	if state != nil {
		p.group.config.Log.Info().Int32("partition", p.number).Int64("offset", p.next).Int("bytes", size).
			Dur("took_ms", took).Msg("snapshot loaded")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.numbers.Loaded, p.numbers.Snapshot, p.numbers.SnapshotTime = true, size, took
	return nil
}

// work takes records, and saves the state now and then, until the partition is given up.
func (p *partition) work() error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	start := time.Now()
	// when the state was saved, and the minimum time to the next save
	last, pause := start, p.group.config.Every
	for {
		p.noteBusy(time.Time{})
		select {
		case <-p.ready:
		case now := <-tick.C:
			if p.noteBusy(now); p.caughtUp() && p.group.knowsEnd(p.number, now) {
				p.changed = p.processor.Tick(now) || p.changed
			}
		}
		if p.learnsBegin() {
			if err := p.save(); err != nil {
				return err
			}
		}
		stopping := p.take(last.Add(pause))
		p.noteBusy(time.Time{})
		now := time.Now()
		switch {
		case p.stats().Unsaved == 0 && !p.changed || stopping && !p.isSaving():
		case stopping || now.Sub(last) >= pause:
			if err := p.save(); err != nil {
				return err
			}
			if stopping {
				return p.insist()
			}
			last = time.Now()
			// saving takes a tenth of the time at most
			pause = max(p.group.config.Every, 10*last.Sub(now))
		}
		if stopping {
			return nil
		}
	}
}

// learnsBegin reports whether a group that begins at the end of the topic has just learned that
// offset. It must be saved before any record is taken, and even if there are none: the next owner
// would begin at another end.
func (p *partition) learnsBegin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	told := slices.IndexFunc(p.batches, func(b *wire.Batch) bool { return b.Next >= 0 })
	if !p.group.config.FromEnd || p.next >= 0 || told < 0 || p.stopping && !p.saving {
		return false
	}
	p.changed = true
	first := p.batches[told]
	p.next = first.Next
	if len(first.Records) > 0 {
		p.next = first.Records[0].Offset
	}
	return true
}

// insist retries saving until the partition's time is up.
func (p *partition) insist() error {
	for p.givenUp() > 0 {
		if wire.Sleep(p.ctx, retryInterval); p.ctx.Err() != nil {
			return nil
		}
		if err := p.save(); err != nil {
			return err
		}
	}
	return nil
}

// slow is how long a checkpoint takes before that is logged: the brokers may be unreachable.
const slow = 10 * time.Second

// save makes a checkpoint, or returns the reason why there can be none now.
func (p *partition) save() error {
	log := p.group.config.Log.With().Int32("partition", p.number).Logger()
	start := time.Now()
	warning := time.AfterFunc(slow, func() { log.Warn().Dur("for_ms", slow).Msg("a checkpoint does not get through") })
	err := p.checkpoint(start)
	late := !warning.Stop()
	switch {
	case err == nil:
		took := time.Since(start)
		if lasted, failed := p.failing.noteSuccess(time.Now()); late || failed {
			log.Info().Dur("took_ms", max(lasted, took)).Msg("a checkpoint got through")
		}
		log.Debug().Dur("took_ms", took).Int64("next", p.next).Msg("saved")
	case isFenced(err):
		log.Warn().Msg("not saved: the partition has another owner, who does again what was not saved")
		p.stop(false)
		p.excuse()
	case wire.HasCode(err, client.RebalanceInProgress):
		log.Warn().Msg("not saved: a rebalance is in progress")
		p.excuse()
	case p.ctx.Err() != nil: // too late, which is reported for all partitions together
	case errors.As(err, new(*unsavedError)):
		if p.failing.noteFailure(err, start) {
			log.Warn().Str("why", err.Error()).Msg("not saved, and tried again later")
		}
	default:
		return err
	}
	return nil
}

// unsavedError says why a state could not be saved, for now.
type unsavedError struct {
	doing string
	err   error
}

func (e *unsavedError) Error() string { return e.doing + ": " + e.err.Error() }
func (e *unsavedError) Unwrap() error { return e.err }

// unsaved returns an *unsavedError, or another error if a retry is useless.
func unsaved(doing string, err error) error {
	if lasts := permanent(err); lasts != nil {
		return fmt.Errorf("%s: %w", doing, lasts)
	}
	return &unsavedError{doing, err}
}

func (p *partition) excuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.excused = true
}

// givenUp returns the number of records that the partition has not saved though it should have.
func (p *partition) givenUp() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.excused {
		return 0
	}
	return p.numbers.Unsaved
}

// take takes the available records, until it is time to save. It reports whether the partition is
// to be given up.
func (p *partition) take(until time.Time) (stopping bool) {
	for {
		p.mu.Lock()
		p.skip()
		batches := p.batches
		p.batches, p.bytes, stopping = nil, 0, p.stopping
		if p.paused {
			p.paused = false
			p.group.reader.Pause(p.number, false)
		}
		p.mu.Unlock()
		if stopping || len(batches) == 0 {
			return stopping
		}
		for _, b := range batches {
			if p.takeBatch(b) {
				return true
			}
		}
		if time.Now().After(until) {
			return false
		}
	}
}

// takeBatch takes the records of a batch. It reports whether the partition is to be given up.
func (p *partition) takeBatch(b *wire.Batch) (stopping bool) {
	var now time.Time
	for i := range b.Records {
		if i%64 == 0 {
			if now = time.Now(); p.noteBusy(now) {
				return true
			}
		}
		p.takeRecord(&b.Records[i], now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if batch := tooLargeBatch(b.Err); batch != nil && batch.Last >= p.next {
		p.lost += batch.Last + 1 - max(p.next, batch.First)
	}
	p.next = max(p.next, b.Next)
	return false
}

// caughtUp reports whether all known records are taken.
func (p *partition) caughtUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next < 0 || p.next >= p.high
}

// skip notes that records were deleted before they were read. Their runs miss them.
func (p *partition) skip() {
	if p.next < 0 || p.low <= p.next {
		return
	}
	p.group.config.Log.Error().Int32("partition", p.number).Int64("from", p.next).Int64("to", p.low-1).
		Msg("the topic has deleted records before they were read: its retention is too short, or the group had no " +
			"member for too long")
	p.lost += p.low - p.next
	p.next = p.low
}

// noteBusy notes since when the present record is processed, zero if there is none. It reports
// whether the partition is to be given up.
func (p *partition) noteBusy(now time.Time) (stopping bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.numbers.Busy = now
	return p.stopping
}

func (p *partition) isSaving() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.saving
}

// takeRecord takes a record, unless it is part of the state.
func (p *partition) takeRecord(r *wire.Record, now time.Time) {
	if r.Offset < p.next {
		return
	}
	rec := recordIn(p.group.config.Address.Topic, p.number, p.source, r)
	p.source = rec.Source
	p.processor.Take(rec, now)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = r.Offset + 1
	if p.numbers.Unsaved++; p.numbers.Unsaved == 1 {
		p.numbers.UnsavedSince = now
	}
}

// recordIn converts a record in a partition. source is that of the previous record, whose name is
// not copied again.
func recordIn(topic string, partition int32, source string, r *wire.Record) *record.Record {
	var text [128]byte // on the stack; all its names share one string
	words := string(appendPlace(append(text[:0], r.Key...), topic, partition, r.Offset))
	rec := &record.Record{Run: words[:len(r.Key)], Source: source, Value: r.Value, Time: time.UnixMilli(r.Time),
		At: words[len(r.Key):]}
	var room [4]record.Header // on the stack; records of a trace have at most so many
	headers := room[:0]
	for _, h := range r.Headers {
		headers = append(headers, record.Header{Key: h.Key, Value: h.Value})
	}
	rec.Bad = rec.SetHeaders(headers)
	return rec
}

// appendPlace appends the position of a record.
func appendPlace(at []byte, topic string, partition int32, offset int64) []byte {
	at = append(append(at, topic...), '/')
	at = append(strconv.AppendInt(at, int64(partition), 10), '@')
	return strconv.AppendInt(at, offset, 10)
}

// checkpoint saves the state of the processor.
func (p *partition) checkpoint(start time.Time) error {
	if err := p.processor.Flush(p.ctx); err != nil {
		return fmt.Errorf("reporting: %w", err)
	}
	state, err := p.processor.State()
	if err != nil {
		return err
	}
	at, err := p.group.snapshots.write(p.ctx, p.number, p.next, state)
	if err != nil {
		return unsaved("writing a snapshot to "+p.group.config.Snapshots, err)
	}
	if err := p.group.commit(p.ctx, p, p.next, at.String()); err != nil {
		return unsaved(fmt.Sprintf("committing offset %d", p.next), err)
	}
	p.metadata, p.changed = at.String(), false
	p.mu.Lock()
	p.excused = false
	p.numbers.Snapshot, p.numbers.SnapshotTime = at.bytes, time.Since(start)
	p.numbers.Unsaved, p.numbers.UnsavedSince = 0, time.Time{}
	p.mu.Unlock()
	p.group.snapshots.trim(p.ctx, at)
	return nil
}

func (p *partition) stats() PartitionStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.numbers
	s.Queued = p.bytes
	s.Partition, s.Next, s.Lag, s.Lost = p.number, p.next, max(0, p.high-max(p.next, 0)), p.lost
	return s
}
