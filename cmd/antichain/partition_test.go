package main

import (
	"testing"
	"time"

	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// counted counts records.
type counted struct {
	checked
	records int64
}

func (c *counted) Take(*record.Record, time.Time) { c.records++ }
func (c *counted) Stats() runs.Stats              { return runs.Stats{Counts: runs.Counts{Records: c.records}} }

// Others see the numbers of a partition that has so much to read that no time passes.
func TestNumbersOfBusyPartition(t *testing.T) {
	p, err := newPartition(&counted{}, mark{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		p.Take(nil, time.Unix(1000, 0).Add(time.Duration(i)*time.Second/10))
	}
	if n := p.stats.Load().Records; n != 21 {
		t.Errorf("%d records were seen of 30, of which the last came in the third second", n)
	}
}
