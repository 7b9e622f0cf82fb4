package check

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Properties are independent of each other, so as many are decided at the same time as there are
// processors. They are reported in order, as they would be one after the other.

type decide func(context.Context, *spec.Property, tlcheck.Options) (*tlcheck.Result, error)

// decision is the result for a property, or the error.
type decision struct {
	result *tlcheck.Result
	err    error
	took   time.Duration
}

// decisions decides properties.
type decisions struct {
	decide  decide
	options tlcheck.Options
	made    []chan decision // by property
	several bool            // at the same time

	// memory is locked for reading by decisions that run side by side. A decision that ran out of
	// memory beside others is repeated alone, under the lock for writing.
	memory sync.RWMutex

	shown atomic.Pointer[shown]
}

// shown is the property whose progress is shown.
type shown struct {
	property int
	progress func(tlcheck.Progress)
}

// decideAll begins to decide properties.
func decideAll(ctx context.Context, properties []*spec.Property, decide decide, options tlcheck.Options) *decisions {
	d := &decisions{decide: decide, options: options}
	workers := min(runtime.GOMAXPROCS(0), len(properties))
	d.several = workers > 1
	next := make(chan int, len(properties))
	for i := range properties {
		d.made = append(d.made, make(chan decision, 1))
		next <- i
	}
	close(next)
	for range workers {
		go func() {
			for i := range next {
				d.made[i] <- d.of(ctx, i, properties[i])
			}
		}()
	}
	return d
}

// of decides property i.
func (d *decisions) of(ctx context.Context, i int, p *spec.Property) decision {
	options := d.options
	options.Progress = func(far tlcheck.Progress) {
		if s := d.shown.Load(); s != nil && s.property == i && s.progress != nil {
			s.progress(far)
		}
	}
	decide := func() decision {
		start := time.Now()
		r, err := d.decide(ctx, p, options)
		return decision{r, err, time.Since(start)}
	}
	d.memory.RLock()
	made := decide()
	d.memory.RUnlock()
	if made.err != nil || !d.several || !errors.Is(made.result.Stopped, tlcheck.ErrMemory) {
		return made
	}
	d.memory.Lock()
	defer d.memory.Unlock()
	return decide()
}

// await returns the decision on property i, and shows meanwhile how far it is.
func (d *decisions) await(c *Checker, i int, p *spec.Property) decision {
	checking := terminal.Working(c.Stderr, "checking "+event.Printable(p.Name))
	defer checking.Done()
	d.shown.Store(&shown{i, checking.Watched(d.options).Progress})
	made := <-d.made[i]
	d.made[i] <- made
	return made
}
