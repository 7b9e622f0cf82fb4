package histories

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// outcome is the verdict on a history.
type outcome struct {
	name   string
	model  *Flag
	ops    []*linearizability.Operation
	result *linearizability.Result // nil if there is no history
	Why    string                  // why the verdict is unknown
}

func (r *outcome) verdict() tlcheck.Verdict {
	switch {
	case r.result == nil:
		return tlcheck.Unknown
	case r.result.Verdict == linearizability.Linearizable:
		return tlcheck.Holds
	case r.result.Verdict == linearizability.Violated:
		return tlcheck.Violated
	}
	return tlcheck.Unknown
}

// shown is the number of operations of each kind that a text shows.
const shown = 10

// writeText writes what people read.
func (r *outcome) writeText(w io.Writer, several bool) error {
	var text strings.Builder
	if several {
		text.WriteString(r.name + ": ")
	}
	fmt.Fprintf(&text, "linearizable: %v", r.verdict())
	if r.Why != "" {
		text.WriteString(": " + r.Why)
	}
	text.WriteString("\n")
	if r.verdict() == tlcheck.Violated {
		r.explain(&text)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// explain writes which operations cannot be explained.
func (r *outcome) explain(text *strings.Builder) {
	e := r.result.Evidence
	o := r.ops[e.Operation]
	object := "the " + r.model.name
	if o.Object != "" {
		object += " " + event.Printable(o.Object)
	}
	fmt.Fprintf(text, "    No order of the operations on %s has the results that these had.\n\n", object)
	fmt.Fprintf(text, "%s\n    cannot have this result: when it returned, ", describe(o))
	var states []string
	for _, s := range e.States {
		states = append(states, r.state(s))
	}
	slices.Sort(states)
	only := "could only be "
	if len(states) == linearizability.MaxStates {
		only = "could be, for example, "
	}
	fmt.Fprintf(text, "%s %s%s.\n", object, only, strings.Join(states, " or "))
	before := e.Before
	last := ""
	if len(before) > shown {
		last = fmt.Sprintf(", the last %d of %d", shown, len(before))
		before = before[len(before)-shown:]
	}
	r.list(text, "Returned before"+last, before)
	overlapping := e.Overlapping
	first := ""
	if len(overlapping) > shown {
		first = fmt.Sprintf(", the first %d of %d", shown, len(overlapping))
		overlapping = overlapping[:shown]
	}
	r.list(text, "Called before it returned, and not returned then"+first, overlapping)
}

func (r *outcome) state(s linearizability.State) string {
	if d, ok := r.model.model.(linearizability.Describing); ok {
		return event.Printable(d.Describe(s))
	}
	return event.Printable(fmt.Sprint(s))
}

func (r *outcome) list(text *strings.Builder, title string, ops []int) {
	if len(ops) == 0 {
		return
	}
	fmt.Fprintf(text, "\n%s:\n", title)
	for _, i := range ops {
		fmt.Fprintf(text, "    %s\n", describe(r.ops[i]))
	}
}

func describe(o *linearizability.Operation) string {
	return event.Printable(fmt.Sprintf("%v by %s, called at %s", o, o.Process, o.At))
}

// object is a verdict as JSON.
type object struct {
	Trace       string      `json:"trace"`
	Property    string      `json:"property"`
	Model       string      `json:"model"`
	Verdict     string      `json:"verdict"`
	Why         string      `json:"why,omitempty"`
	Operation   *operation  `json:"operation,omitempty"`
	States      []string    `json:"states,omitempty"`
	Before      []operation `json:"before,omitempty"`
	Overlapping []operation `json:"overlapping,omitempty"`
}

// operation is one as JSON.
type operation struct {
	Operation string `json:"operation"`
	Object    string `json:"object,omitempty"`
	Process   string `json:"process"`
	At        string `json:"at"`
}

func objectOf(o *linearizability.Operation) operation {
	return operation{o.String(), o.Object, o.Process, o.At}
}

// writeJSON writes one object on a line.
func (r *outcome) writeJSON(w io.Writer, _ bool) error {
	out := object{Trace: r.name, Property: "linearizable", Model: r.model.text, Verdict: r.verdict().String(),
		Why: r.Why}
	if r.verdict() == tlcheck.Violated {
		e := r.result.Evidence
		failed := objectOf(r.ops[e.Operation])
		out.Operation = &failed
		for _, s := range e.States {
			out.States = append(out.States, r.state(s))
		}
		for _, i := range e.Before {
			out.Before = append(out.Before, objectOf(r.ops[i]))
		}
		for _, i := range e.Overlapping {
			out.Overlapping = append(out.Overlapping, objectOf(r.ops[i]))
		}
	}
	return report.WriteObject(w, out)
}
