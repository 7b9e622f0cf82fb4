package ingest

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
)

// RunError says that an input does not have the requested run.
type RunError struct {
	Name string // of the input
	ID   string // of the run; "" if only one is allowed
	IDs  []string
}

// Choose returns the run with this id, or the only run if the id is empty. Otherwise it returns a
// *RunError. name is the name of the input.
func Choose(runs []Run, id, name string) (Run, error) {
	i := 0
	if id != "" {
		i = slices.IndexFunc(runs, func(r Run) bool { return r.ID == id })
	}
	if i >= 0 && (id != "" || len(runs) == 1) {
		return runs[i], nil
	}
	e := &RunError{Name: name, ID: id}
	for _, r := range runs {
		e.IDs = append(e.IDs, r.ID)
	}
	return Run{}, e
}

// Unnamed reports whether the input has one run, which has no name.
func (e *RunError) Unnamed() bool { return len(e.IDs) == 1 && e.IDs[0] == "" }

func (e *RunError) Error() string {
	name := event.Printable(e.Name)
	switch {
	case e.ID == "":
		return fmt.Sprintf("%s has %d runs: choose one; there are %s", name, len(e.IDs), e.Some())
	case e.Unnamed():
		return fmt.Sprintf("there is no run %s in %s: its only run has no name", event.Printable(e.ID), name)
	}
	return fmt.Sprintf("there is no run %s in %s, which has %s", event.Printable(e.ID), name, e.Some())
}

// shown is the number of runs that an error lists.
const shown = 5

// Some lists the first runs, for messages.
func (e *RunError) Some() string {
	var ids []string
	for _, id := range e.IDs[:min(shown, len(e.IDs))] {
		ids = append(ids, event.Printable(id))
	}
	return wording.Some(ids, len(e.IDs)-shown)
}
