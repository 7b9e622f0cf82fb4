package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// UnsavedError lists the states that were not saved when a member left. Nothing is lost: the next
// owner reads the records again.
type UnsavedError struct {
	Partitions []int32
	Records    int64
	Grace      time.Duration
}

func (e *UnsavedError) Error() string {
	return fmt.Sprintf("not saved within %v: the last %d records of partitions %v; the next member reads them "+
		"again, and repeats its reports about them", e.Grace, e.Records, e.Partitions)
}

const (
	// how long, after the grace, a partition may take to notice its end
	lastMoment = 500 * time.Millisecond
	// how long the group may take to let a member leave; otherwise it waits for the session to end
	farewell = 2 * time.Second
)

// shutDown saves the states, and leaves the group.
func (g *Group) shutDown() error {
	start := time.Now()
	numbers := g.partitionNumbers()
	g.config.Log.Info().Ints32("partitions", numbers).Msg("shutting down")
	g.stop(numbers, true)
	g.mu.Lock()
	g.leaving = true
	stopping := slices.Collect(maps.Keys(g.stopping)) // some by an earlier rebalance
	g.mu.Unlock()
	unsaved := &UnsavedError{Grace: g.config.Grace}
	enough := time.After(g.config.Grace + lastMoment)
	for _, p := range stopping {
		select {
		case <-p.done:
		case <-enough:
			enough = closed // nor wait for the others
		}
		if n := p.givenUp(); n > 0 {
			unsaved.Partitions = append(unsaved.Partitions, p.number)
			unsaved.Records += n
		}
	}
	g.leave()
	g.config.Log.Info().Dur("took_ms", time.Since(start)).Int64("unsaved_records", unsaved.Records).Msg("shut down")
	if unsaved.Records > 0 {
		return unsaved
	}
	return nil
}

// closed is a channel that is always ready.
var closed = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// leave leaves the group. A slow request ends with the program.
func (g *Group) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	g.mu.Lock()
	silence := g.endHeartbeats
	g.mu.Unlock()
	silence()
	if err := g.member.Leave(ctx); err != nil {
		g.config.Log.Debug().Err(err).Msg("leaving the group")
	}
}
