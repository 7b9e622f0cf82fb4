package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/internal/archive"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// partition checks the runs of a partition.
type partition struct {
	input.Runs
	clock clock
	to    *verdicts
	mark  mark
	base  runs.Counts                // that the last owner has left
	stats atomic.Pointer[runs.Stats] // for others, without the base
	noted time.Time                  // when Take has noted these
	gone  func(*partition)           // called when somebody else goes on
	size  int                        // of the last state
}

// mark says what a state is about. It stands before it.
type mark struct {
	Format string // of the state
	Spec   string // fingerprint of the properties and the logic, and of what the records are
}

// stateFormat changes with what a state consists of.
const stateFormat = "antichain runs 4"

func markOf(properties []*spec.Property, logic lsl.Logic, input string) mark {
	text := logic.String() + " " + input
	for _, p := range properties {
		text += "\n" + p.Name + " " + spec.FormatProperty(p)
	}
	sum := sha256.Sum256([]byte(text))
	return mark{stateFormat, hex.EncodeToString(sum[:8])}
}

// newPartition returns the runs of a state, or leaves them as they are if there is none.
func newPartition(checked input.Runs, m mark, to *verdicts, state []byte) (*partition, error) {
	p := &partition{Runs: checked, to: to, mark: m}
	p.stats.Store(&runs.Stats{})
	if state == nil {
		return p, nil
	}
	a := archive.NewReader(state)
	var was mark
	a.String(&was.Format)
	if a.Err() == nil && was.Format != p.mark.Format {
		return nil, fmt.Errorf("the snapshot has the format %q, and this program reads %q: let the program that wrote it finish the runs, or use another --group", was.Format, p.mark.Format)
	}
	a.String(&was.Spec)
	if a.Err() == nil && was.Spec != p.mark.Spec {
		return nil, fmt.Errorf("the snapshot is of another specification: the runs that go on cannot be checked with this one; use another --group")
	}
	archive.Int(a, &p.clock.at)
	if err := p.restore(a); err != nil {
		return nil, fmt.Errorf("the snapshot cannot be read: %w; let the program that wrote it finish the runs, or use another --group", err)
	}
	p.base = p.Stats().Counts
	p.note()
	return p, nil
}

// restore reads the state. What it says is the truth to who reads it: one that another program wrote, or that is damaged, may lead
// anywhere.
func (p *partition) restore(a *archive.Archive) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("it contradicts itself (%v)", v)
		}
	}()
	return cmp.Or(p.Archive(a), a.End())
}

// State implements kafka.Processor.
func (p *partition) State() ([]byte, error) {
	a := archive.NewWriter()
	a.Grow(p.size + p.size/8)
	m := p.mark
	a.String(&m.Format)
	a.String(&m.Spec)
	archive.Int(a, &p.clock.at)
	err := p.Archive(a)
	p.size = len(a.Bytes())
	return a.Bytes(), err
}

// Take implements kafka.Processor.
func (p *partition) Take(r *record.Record, now time.Time) {
	p.Runs.Take(r, p.clock.pass(now))
	if now.Sub(p.noted) >= time.Second { // there are no ticks while much waits to be read
		p.noted = now
		p.note()
	}
}

// Tick implements kafka.Processor.
func (p *partition) Tick(now time.Time) bool {
	changed := p.Runs.Tick(p.clock.pass(now))
	p.note()
	return changed
}

// note lets others see the numbers.
func (p *partition) note() {
	s := p.Stats()
	s.Counts = s.Minus(p.base)
	p.stats.Store(&s)
}

// Close ends all runs.
func (p *partition) Close(cut onthefly.Truncation) {
	p.Runs.Close(cut)
	p.note()
}

// Drop implements kafka.Processor.
func (p *partition) Drop() {
	p.Runs.Drop()
	p.note()
	p.gone(p)
}

// Flush implements kafka.Processor.
func (p *partition) Flush(ctx context.Context) error { return p.to.flush(ctx) }
