//go:build unix

package soundness

import (
	"context"
	"errors"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// verdict is what came of one program.
type verdict struct {
	*judgement
	err error // why there is none
}

// An examiner finds out what antichain says about programs. enough says which verdict on a program
// is not to be followed by a further attempt.
type examiner func(ctx context.Context, programs []*program.Program, reached []*interleaving.Reached, attempts int, enough func(verdict) bool) ([]verdict, error)

// examineWith returns the examiner that builds the programs and runs them, perhaps without the
// order of their critical sections. It returns the last verdict on each.
func examineWith(orders orders) examiner {
	return func(ctx context.Context, programs []*program.Program, reached []*interleaving.Reached, attempts int, enough func(verdict) bool) ([]verdict, error) {
		dir, err := os.MkdirTemp("", "soundness-")
		if err != nil {
			return nil, err
		}
		all, err := examineIn(ctx, dir, orders, programs, reached, attempts, enough)
		return all, errors.Join(err, os.RemoveAll(dir))
	}
}

func examineIn(ctx context.Context, dir string, orders orders, programs []*program.Program, reached []*interleaving.Reached, attempts int, enough func(verdict) bool) ([]verdict, error) {
	b, err := newBatch(ctx, dir, programs, orders)
	if err != nil {
		return nil, err
	}
	all := make([]verdict, len(programs))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range b.programs {
		workers.Go(func() error {
			for range attempts {
				if all[i] = b.examine(ctx, p, reached[i]); enough(all[i]) {
					break
				}
			}
			return nil
		})
	}
	_ = workers.Wait() // failures are in the verdicts
	return all, ctx.Err()
}

// examine runs a program once.
func (b *batch) examine(ctx context.Context, p *built, r *interleaving.Reached) verdict {
	o, err := b.observe(ctx, p)
	if err != nil {
		return verdict{err: err}
	}
	return verdict{judgement: judge(p, r, o)}
}
