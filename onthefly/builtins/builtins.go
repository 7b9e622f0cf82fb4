// Package builtins checks the built-in properties on the operations in a trace, which may still
// grow.
//
//	checker := builtins.New(header, builtins.Config{Properties: builtin.Properties})
//	checker.Add(e) // each event
//	results := checker.Results("")
//
// It reports what a check during the run reports: the operations of a trace have the order that
// they had then (process.Operations).
package builtins

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Config lists the properties and their functions.
type Config struct {
	Properties []builtin.Property
	// Named says that a user named the properties, leak perhaps by MustFinish. Those that a trace
	// cannot decide are then unknown; otherwise they are left out.
	Named bool

	MustFinish, MayWait []string // functions, as builtin.Checker takes them
}

// Judged returns the properties without leak if no function must finish: then nothing can leak.
func (c *Config) Judged() []builtin.Property {
	if len(c.MustFinish) > 0 {
		return c.Properties
	}
	return slices.DeleteFunc(slices.Clone(c.Properties), func(p builtin.Property) bool { return p == builtin.Leak })
}

// Checker checks the built-in properties of one program's trace.
type Checker struct {
	on      []builtin.Property
	unknown map[builtin.Property]string // why the trace cannot decide some of them
	config  Config
	state   state

	weighed int // number of operations when the size was measured last
	bytes   int // the size at that time
}

// state is the part of a checker that snapshots record.
type state struct {
	checker    *builtin.Checker
	operations *process.Operations // nil if the trace has none
	added      int                 // number of operations
	violated   tlcheck.BuiltinViolations
	lost       string // why nothing is known any more, "" if something is
}

// New returns a checker for a trace with that header.
func New(h *event.Header, c Config) *Checker {
	on := c.Judged()
	k := &Checker{on: on, unknown: Missing(h, on), config: c}
	if !c.Named {
		k.on = slices.DeleteFunc(slices.Clone(on), func(p builtin.Property) bool {
			// leak is checked because functions must finish
			return k.unknown[p] != "" && slices.Contains(builtin.Properties, p) && p != builtin.Leak
		})
	}
	judged := slices.DeleteFunc(slices.Clone(k.on), func(p builtin.Property) bool { return k.unknown[p] != "" })
	if h.Instrumented != nil {
		maps.Copy(k.unknown, Unwatched(h.Instrumented.Unwatched, judged))
	}
	k.state.checker, _ = builtin.New(judged...) // all exist
	k.state.violated = tlcheck.BuiltinViolations{}
	k.state.checker.MustFinish(c.MustFinish...)
	k.state.checker.MayWait(c.MayWait...)
	if h.Operations != nil && h.Operations.Hidden != "" {
		k.state.checker.MissesAccesses()
	}
	if len(judged) > 0 {
		k.state.operations = process.NewOperations(h, k.state.checker)
	}
	return k
}

// Reasons for which a trace cannot decide a built-in property.
const (
	NoOperations = "recorded without operations"
	NoAccesses   = "recorded without memory accesses"
)

// Missing returns the properties that a trace with that header cannot decide, with the reason.
func Missing(h *event.Header, on []builtin.Property) map[builtin.Property]string {
	all := map[builtin.Property]string{}
	for _, p := range on {
		_, err := builtin.Parse(string(p))
		switch {
		case err != nil:
			all[p] = err.Error()
		case h.Operations == nil:
			all[p] = NoOperations
		case len(h.Operations.Only) > 0 && !slices.Contains(h.Operations.Only, string(p)):
			all[p] = fmt.Sprintf("the log does not show what %s needs, only what %s need", p, wording.List(h.Operations.Only))
		case !h.Operations.Accesses && builtin.NeedsAccesses(p):
			all[p] = NoAccesses
		}
	}
	return all
}

// Unwatched returns the properties that a partly traced program cannot decide, with the reason. The
// texts are event.Instrumentation.Unwatched.
func Unwatched(texts []string, on []builtin.Property) map[builtin.Property]string {
	all := map[builtin.Property]string{}
	for _, text := range texts {
		name, why, _ := strings.Cut(text, ": ")
		if p := builtin.Property(name); slices.Contains(on, p) && all[p] == "" {
			all[p] = "the program was traced without " + why
		}
	}
	return all
}

// Properties returns the properties that will have results.
func (k *Checker) Properties() []builtin.Property { return k.on }

// Add reads an event of the trace.
func (k *Checker) Add(e *event.Event) {
	if k.state.operations == nil || e.IsAction() {
		return
	}
	k.state.added++
	k.state.operations.Add(e)
}

// Lose declares that part of the trace is missing: no property can be decided any more.
func (k *Checker) Lose(why string) { k.state.lost = why }

// Certain returns results for the findings since the last call that stand however the trace
// continues. Results leaves them out. See builtin.Checker.Certain.
func (k *Checker) Certain() []*tlcheck.Result {
	ops := k.state.operations
	if ops == nil || k.state.lost != "" || ops.Wrong() != "" {
		return nil
	}
	return k.state.violated.Results(nil, k.state.checker.Certain(ops), ops, k.reasons(""))
}

// Results returns the results when the trace is over. cut says why it was not read to its end, ""
// if it was. Findings from before a cut stand, except those about the end of a run.
func (k *Checker) Results(cut string) []*tlcheck.Result {
	ops := k.state.operations
	if ops == nil || k.state.lost != "" {
		return k.state.violated.Results(k.on, nil, nil, k.reasons(k.state.lost))
	}
	ops.Finish()
	if cut == "" {
		return k.rest("")
	}
	return append(k.Certain(), k.rest(cut)...)
}

// rest returns the results without those that Certain has returned.
func (k *Checker) rest(cut string) []*tlcheck.Result {
	ops := k.state.operations
	k.state.checker.ReadSource(func(g *builtin.Guess) builtin.Behind { return behind(g, ops) })
	found := k.state.checker.Findings(ops)
	if cut != "" {
		found = withoutEnd(found)
	}
	if wrong := ops.Wrong(); wrong != "" {
		return k.state.violated.Results(k.on, found, ops, k.reasons("records of the program make no sense: "+wrong))
	}
	reasons := k.reasons("")
	for _, p := range k.on {
		if cut != "" && reasons[p] == "" && !slices.ContainsFunc(found, func(f builtin.Finding) bool { return f.Property == p }) {
			reasons[p] = cut
		}
	}
	results := k.state.violated.Results(k.on, found, ops, reasons)
	if cut == "" {
		tlcheck.NoteOpen(results, k.state.checker.Open())
	}
	for _, r := range results {
		if r.Builtin != builtin.Leak || r.Verdict != tlcheck.Holds {
			continue
		}
		if texts := k.unseen(k.config.MustFinish); len(texts) == len(k.config.MustFinish) {
			// none of these functions ran, so no goroutine could leak
			r.Vacuous = strings.Join(texts, "; ")
		}
	}
	return results
}

// reasons returns why properties have no verdict: all of them, unless all is empty, or those that
// the trace cannot decide.
func (k *Checker) reasons(all string) map[builtin.Property]string {
	reasons := map[builtin.Property]string{}
	for _, p := range k.on {
		if why := k.unknown[p]; why != "" {
			reasons[p] = why
		} else if all != "" {
			reasons[p] = all
		}
	}
	return reasons
}

// withoutEnd returns the findings that stand without the end of the run, including those that are
// grouped under others.
func withoutEnd(found []builtin.Finding) []builtin.Finding {
	var stand []builtin.Finding
	for _, f := range found {
		if f.Told || !f.IsOfEnd() {
			stand = append(stand, f)
		} else {
			stand = append(stand, withoutEnd(f.Also)...)
		}
	}
	return stand
}

// behind returns what the program's source, as it was at the recording, does behind a case.
func behind(g *builtin.Guess, ops *process.Operations) builtin.Behind {
	pair := [2]int{g.Took, g.Other}
	source := ops.Behind(ops.Place(g.Select).At)
	switch {
	case source == nil:
		return builtin.Unread
	case slices.Contains(source.Harmless, pair):
		return builtin.ComesBack
	case slices.Contains(source.Leaves, pair):
		return builtin.Leaves
	}
	return builtin.Unread
}

// Bytes returns roughly how much memory the checker takes. It measures that, in linear time,
// whenever the operations have doubled, and estimates it in between.
func (k *Checker) Bytes() int {
	if k.weighed == 0 || k.state.added >= 2*k.weighed {
		k.weighed, k.bytes = max(k.state.added, 1), snapshot.GraphBytes(&k.state)
	}
	return int(float64(k.bytes) * max(1, float64(k.state.added)/float64(k.weighed)))
}

// Snapshot writes the checker, which continues, or reads it into a new one of the same
// configuration. If another version of antichain wrote it, its properties become unknown.
func (k *Checker) Snapshot(c *snapshot.Codec) {
	var data []byte
	if !c.Reading() {
		w := snapshot.NewWriter()
		snapshot.Graph(w, &k.state)
		if err := w.Err(); err != nil {
			panic(fmt.Sprintf("builtins: %v", err)) // a type that snapshots cannot record
		}
		data = w.Bytes()
	}
	text := string(data)
	if c.String(&text); !c.Reading() || c.Err() != nil {
		return
	}
	r := snapshot.NewReader([]byte(text))
	snapshot.Graph(r, &k.state)
	if err := r.End(); err == snapshot.ErrLayout {
		k.Lose("the monitor was replaced by another version while the run went on")
	} else if err != nil {
		c.Fail("%v", err)
	}
}
