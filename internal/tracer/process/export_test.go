package process

import "github.com/antichain-go/antichain/internal/tracer/ring"

// Drop makes a Process forget all records of those kinds.
func (o *Options) Drop(kinds ...ring.Kind) {
	for _, k := range kinds {
		o.dropped[k] = true
	}
}
