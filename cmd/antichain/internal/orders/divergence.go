package orders

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tracer/op"
)

// begin returns the steps of a run with those of a prefix, which may have come a little later, at
// the beginning. The goroutines of others have waited for these. The error is an
// *unfolding.Divergence if a goroutine did another operation than the prefix has, or nothing.
func begin(r *unfolding.Run, prefix []unfolding.Taken) ([]unfolding.Taken, error) {
	rest := slices.Clone(r.Steps)
	var sorted []unfolding.Taken
	for _, want := range prefix {
		i := slices.IndexFunc(rest, func(t unfolding.Taken) bool { return isOfOne(t, want) })
		if i < 0 {
			return nil, &unfolding.Divergence{
				Goroutine: want.Goroutine, Known: want.Operation, Done: r.Blocked[want.Goroutine],
			}
		}
		if !reflect.DeepEqual(rest[i], want) {
			return nil, difference(want, rest[i])
		}
		sorted = append(sorted, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return append(sorted, rest...), nil
}

// isOfOne reports whether a goroutine takes part in both steps.
func isOfOne(t, want unfolding.Taken) bool {
	return t.Goroutine == want.Goroutine || t.Partner == want.Goroutine ||
		want.Partner != unfolding.Alone && (t.Goroutine == want.Partner || t.Partner == want.Partner)
}

// difference says which goroutine did another operation than a step has.
func difference(want, done unfolding.Taken) *unfolding.Divergence {
	operation := func(t unfolding.Taken, g unfolding.Goroutine) (unfolding.Operation, bool) {
		switch g {
		case t.Goroutine:
			return t.Operation, true
		case t.Partner:
			return t.Received, true
		}
		return unfolding.Operation{}, false
	}
	for _, g := range []unfolding.Goroutine{want.Goroutine, want.Partner} {
		known, _ := operation(want, g)
		if did, came := operation(done, g); came && g != unfolding.Alone && !reflect.DeepEqual(known, did) {
			return &unfolding.Divergence{Goroutine: g, Known: known, Done: did}
		}
	}
	return &unfolding.Divergence{Goroutine: want.Goroutine, Known: want.Operation, Done: want.Operation}
}

// Divergence says in words what differed in a run that did not keep its order.
func (n *Numbers) Divergence(err error) string {
	var d *unfolding.Divergence
	if !errors.As(err, &d) {
		return err.Error()
	}
	name, known, done := n.goroutines.texts[d.Goroutine], n.words(d.Known), n.words(d.Done)
	switch {
	case d.Done.Kind == unfolding.End:
		return fmt.Sprintf("%s did not come to its %s", name, known)
	case d.Known.Kind == unfolding.End:
		return fmt.Sprintf("%s went on to a %s, where it had ended before", name, done)
	case reflect.DeepEqual(d.Known, d.Done) && kindOf(d.Known) == op.Select:
		return fmt.Sprintf("%s took another case of its %s", name, known)
	case reflect.DeepEqual(d.Known, d.Done):
		return fmt.Sprintf("%s did its %s with another goroutine", name, known)
	case known == done:
		return fmt.Sprintf("%s did its %s on another object than before", name, known)
	}
	return fmt.Sprintf("%s did a %s, which was a %s before", name, done, known)
}

// words names an operation and its place.
func (n *Numbers) words(o unfolding.Operation) string {
	kind := kindOf(o).String()
	switch o.Kind {
	case unfolding.Announce, unfolding.Acquire:
		kind = op.Lock.String()
	case unfolding.Add:
		kind = op.Add.String()
	case unfolding.Wait:
		kind = op.Wait.String()
	case unfolding.Start:
		kind = "go"
	}
	if at := n.lineOf(o).At; at != "" {
		return kind + " at " + at
	}
	return kind
}
