package exploration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/orders"
	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Bounds of --explore all.
const (
	mostEvents    = 100_000
	orderPatience = 5 * time.Second // of goroutines that wait for the steps before theirs
	orderLinger   = 5 * time.Second // at least, in which goroutines come to their end or wait
)

// allOrders makes a run for each partial order that no run has had. It is the program of package
// unfolding.
type allOrders struct {
	x        *exploration
	ctx      context.Context
	explorer *unfolding.Explorer
	numbers  *orders.Numbers
	watched  *orders.Watcher // of the latest run
	latest   *run
	counts   unfolding.Counts
	unkept   int   // orders that no run has kept, though others show that they are possible
	why      error // the first of them was not kept
	first    []unfolding.Taken
	repeated bool // the first run, with the same operations
}

// complete reports whether all orders were run, unless there are doubts.
func (a *allOrders) complete() bool { return a.counts.Complete() && a.unkept == 0 }

// next adds to the plan of a run what is needed of its operations.
func (a *allOrders) next(r *run, prefix []unfolding.Taken) {
	a.watched, a.latest = new(orders.Watcher), r
	r.plan.Operations = a.watched
	r.plan.Linger = max(r.plan.Linger, orderLinger)
	if len(prefix) > 0 {
		r.plan.Prefix = a.numbers.Schedule(prefix)
		r.plan.Prefix.Keep.Patience = orderPatience
	}
}

// explore makes all runs but the first, until the context ends.
func (a *allOrders) explore(ctx context.Context) error {
	a.ctx = ctx
	a.explorer = unfolding.New(a, []unfolding.Goroutine{orders.Main}, a.make)
	a.explorer.Bounds.Events = mostEvents
	err := a.explorer.Explore()
	a.counts = a.explorer.Counts
	if err == nil && a.complete() {
		err = a.repeat()
	}
	return err
}

// repeat makes the first run once more. If the program does something else then, not the order of
// its operations alone decides what it does.
func (a *allOrders) repeat() error {
	again, err := a.keep(a.first)
	if n := len(a.first); err == nil && len(again.Steps) > n {
		more := again.Steps[n]
		err = &unfolding.Divergence{Goroutine: more.Goroutine, Done: more.Operation}
	}
	switch {
	case errors.Is(err, unfolding.ErrStop):
		a.counts.Bound = "stop"
		return nil
	case errors.Is(err, unfolding.ErrDiverged):
		a.isUnkept(err)
		return nil
	}
	a.repeated = true
	return err
}

// make makes a run of an order that was put together from what others have shown.
func (a *allOrders) make(o unfolding.Order) error {
	if o.Ran {
		return nil
	}
	_, err := a.keep(o.Steps)
	if errors.Is(err, unfolding.ErrDiverged) {
		a.isUnkept(err)
		return nil
	}
	return err
}

// keep makes a run of an order, and once more if it does not keep that, which may be chance.
func (a *allOrders) keep(order []unfolding.Taken) (unfolding.Run, error) {
	made, err := a.Run(order)
	if errors.Is(err, unfolding.ErrDiverged) {
		made, err = a.Run(order)
	}
	return made, err
}

// isUnkept notes why no run has kept an order.
func (a *allOrders) isUnkept(why error) {
	if a.unkept++; a.unkept == 1 {
		a.why = why
	}
}

// Run implements unfolding.Program.
func (a *allOrders) Run(prefix []unfolding.Taken) (made unfolding.Run, err error) {
	if len(prefix) == 0 {
		made, err = a.read(nil) // the first run
		a.first = made.Steps
		return made, err
	}
	if a.x.stopped || a.ctx.Err() != nil || a.isOver() {
		return made, unfolding.ErrStop
	}
	r := a.x.next()
	a.next(r, prefix)
	a.x.showing.Doing(fmt.Sprintf("run %d, %s so far%s", a.x.runs+1,
		wording.Plural(a.explorer.Counts.Orders, "order"), a.x.foundText()))
	if err := a.x.attempt(a.ctx, r); err != nil {
		return made, err
	}
	return a.read(prefix)
}

// isOver reports whether there were as many runs as there may be.
func (a *allOrders) isOver() bool { return a.x.plan.Explore > 0 && a.x.runs > a.x.plan.Explore }

// read returns the latest run.
func (a *allOrders) read(prefix []unfolding.Taken) (unfolding.Run, error) {
	ended := a.latest.ended
	if ended == nil || ended.Names == nil { // the end of the context has cut it off
		return unfolding.Run{}, unfolding.ErrStop
	}
	if ended.Overdue {
		a.numbers.Doubt("runs that do not end by themselves")
	}
	made, err := a.numbers.Run(a.watched, ended.Names, prefix)
	if errors.Is(err, orders.ErrTooLong) {
		a.numbers.Doubt("runs of too many operations")
		return made, unfolding.ErrStop
	}
	a.latest.order = made
	return made, err
}

// divergence says in which of the runs a goroutine did not keep its order first; "" if none.
func (a *allOrders) divergence() string {
	if err := cmp.Or(a.counts.Why, a.why); err != nil {
		return a.numbers.Divergence(err)
	}
	return ""
}

// text says whether all orders were run.
func (a *allOrders) text() string {
	c, doubts := a.counts, a.numbers.Doubts()
	ran := c.Orders - a.unkept
	reached, were := wording.Plural(ran, "order")+" of its operations", verb(ran, "was", "were")
	switch {
	case a.complete() && len(doubts) == 0:
		return fmt.Sprintf("all %s on channels, locks and wait groups %s run: complete on this input, unless time, "+
			"a data race%s, the length of a channel, a failed try to lock or an atomic variable of the library "+
			"decides what it does", reached, were, a.unwatched())
	case a.complete():
		return fmt.Sprintf("not complete: %s %s run, and there may be others: the program has %s", reached, were,
			strings.Join(doubts, ", "))
	}
	left := max(1, c.Left+a.unkept)
	text := fmt.Sprintf("not complete: %s %s run; at least %d more %s left, by an estimate some %.0f",
		reached, were, left, verb(left, "is", "are"), math.Max(float64(left), c.Estimate-float64(ran)))
	if n := c.Diverged + a.unkept; n > 0 {
		text += fmt.Sprintf("; the program did not keep %s that it was asked for", wording.Plural(n, "order"))
		if what := a.divergence(); what != "" {
			text += fmt.Sprintf(" (twice %s)", what)
		}
	}
	if len(doubts) > 0 {
		text += "; it has " + strings.Join(doubts, ", ")
	}
	return text
}

// verb returns the form of a verb for so many.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// unwatched says that data races were not looked for, if they were not.
func (a *allOrders) unwatched() string {
	if slices.Contains(a.x.plan.Builtins, builtin.Race) {
		return ""
	}
	return " (not checked: add --builtin race)"
}
