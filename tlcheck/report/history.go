package report

import (
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// mostCalls bounds the calls and returns that a report shows.
const mostCalls = 24

// history prints an order of calls and returns, and the operation that cannot be explained in it.
func (p *printer) history(h *tlcheck.History) {
	failed := calledAs(h, h.Evidence.Operation)
	object := "the " + h.Model.Model
	if failed.Object != "" {
		object += " " + failed.Object
	}
	p.printf("\n%s in %s\n", p.bold(callText(failed)), event.Printable(failed.Process))
	p.printf("    No order of the operations on %s has the results that these had: when this one returned,\n", object)
	p.printf("    %s %s.\n\n", partText(h, failed)+object, statesText(h))
	p.printf("%s\n\n", p.v.historyText())
	width := 0
	for _, e := range h.Events {
		width = max(width, len(event.Printable(h.Operations[e.Operation].Process)))
	}
	for i, e := range h.Events {
		if i == 0 && len(h.Events) > mostCalls {
			p.printf("    (%d earlier calls and returns)\n", len(h.Events)-mostCalls)
		}
		if i < len(h.Events)-mostCalls {
			continue
		}
		o := calledAs(h, e.Operation)
		text, at := "calls "+methodText(o), p.v.source.place(o.At)
		if e.Return {
			text, at = "returns from "+callText(o), ""
		}
		line := fmt.Sprintf("%-*s  %-40s  %s", width, event.Printable(o.Process), text, at)
		p.printf("    %s\n", strings.TrimRight(line, " "))
	}
}

// historyText says how an order of calls and returns is known.
func (v violation) historyText() string {
	if v.Witness.Happened {
		return "It happened in this run:"
	}
	return "It did not happen in this run: this order of the same events leads to it."
}

// calledAs returns an operation under the name of its function.
func calledAs(h *tlcheck.History, op int) *linearizability.Operation {
	o := *h.Operations[op]
	o.Method = h.Functions[op]
	return &o
}

// callText is an operation with its result.
func callText(o *linearizability.Operation) string {
	text := o.String()
	if o.Result == nil && len(o.Arguments) > 0 && !o.Unfinished {
		text += " -> nil"
	}
	return cut(event.Printable(text), maxValue)
}

// methodText is an operation that is called.
func methodText(o *linearizability.Operation) string {
	called := *o
	called.Result, called.Unfinished = linearizability.Unknown, false
	return callText(&called)
}

// partText says which part of an object an operation is about, if that has parts.
func partText(h *tlcheck.History, o *linearizability.Operation) string {
	model, _ := spec.ModelOf(h.Model)
	if _, ok := model.(linearizability.Partitioned); !ok || len(o.Arguments) == 0 {
		return ""
	}
	part := "key"
	if h.Model.Model == "set" {
		part = "element"
	}
	return fmt.Sprintf("%s %s of ", part, event.Printable(fmt.Sprint(o.Arguments[0])))
}

// statesText says in which states an object could be.
func statesText(h *tlcheck.History) string {
	model, _ := spec.ModelOf(h.Model)
	var states []string
	for _, s := range h.Evidence.States {
		text := fmt.Sprint(s)
		if d, ok := model.(linearizability.Describing); ok {
			text = d.Describe(s)
		}
		states = append(states, event.Printable(text))
	}
	stdslices.Sort(states)
	if len(states) == linearizability.MaxStates {
		return "could be, for example, " + strings.Join(states, " or ")
	}
	return "could only be " + strings.Join(states, " or ")
}
