package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Object is the JSON form of a result for a property of a specification.
type Object struct {
	Trace    string `json:"trace"`
	Property string `json:"property"`
	Formula  string `json:"formula"`
	Verdict  string `json:"verdict"`
	// the part that is certain although the check did not end
	Covered string `json:"covered,omitempty"`
	// why a property that holds could not be violated
	Vacuous string `json:"vacuous,omitempty"`
	// the premise of the verdict, for a trace that shows less than what happened
	Caveat   string   `json:"caveat,omitempty"`
	Witness  *Witness `json:"witness"`
	Happened bool     `json:"happened"` // false also if the order of the events is unknown
	// for a violation in a state that only another order of critical sections leads to
	How string `json:"how,omitempty"`
	// likewise: why events may see different values there
	Open            string  `json:"open,omitempty"`
	Known           string  `json:"known,omitempty"` // why the violation is known already
	Reason          *Reason `json:"reason,omitempty"`
	*ViolationCount         // with --all or --count

	*ConfirmationObject // if a confirmation was tried

	Occurrence *RunsObject `json:"occurrence,omitempty"` // if there were several runs

	Again string `json:"again,omitempty"` // the command that shows the violation again
}

// Witness shows where a property is false.
type Witness struct {
	TIVA  map[string]string `json:"tiva"`  // the task of each TIV
	Slice map[string]int64  `json:"slice"` // the local state of each task created in it
	// events that lead there; a joint action is listed once
	Schedule []Ref `json:"schedule"`

	// Places are the lines at which the tasks of TIVs are, as far as the trace has them;
	// groups have their own.
	Places map[string]string `json:"places,omitempty"`

	// Forgotten is the number of earlier events that were not kept.
	Forgotten int64 `json:"forgotten,omitempty"`
}

// Ref is the k-th event of a task; in JSON the list [task, k].
type Ref struct {
	Task string
	K    int64
}

// MarshalJSON writes [task, k].
func (r Ref) MarshalJSON() ([]byte, error) {
	name, err := json.Marshal(r.Task)
	if err != nil {
		return nil, err
	}
	b := append([]byte{'['}, name...)
	b = append(b, ',')
	b = strconv.AppendInt(b, r.K, 10)
	return append(b, ']'), nil
}

// UnmarshalJSON reads [task, k].
func (r *Ref) UnmarshalJSON(b []byte) error {
	list := []any{&r.Task, &r.K}
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list) != 2 {
		return fmt.Errorf("an event is [task, number], and this list has %s", wording.Plural(len(list), "element"))
	}
	return nil
}

// WriteJSON prints a result of a run on a line; trace is what the run is called. Findings name
// objects as the source does; the zero Source leaves them their numbers.
func WriteJSON(w io.Writer, trace string, s Subject, source Source) error {
	if s.Assessment().Property == nil {
		return WriteObject(w, NewBuiltinObject(trace, s, source))
	}
	return WriteObject(w, NewObject(trace, s))
}

// NewObject returns the JSON form of a result of a run for a property of a specification; trace is
// what the run is called.
func NewObject(trace string, s Subject) *Object {
	r := s.Assessment()
	o := &Object{
		Trace: trace, Property: r.Property.Name, Formula: spec.FormatProperty(r.Property),
		Verdict: r.Verdict.String(), Covered: r.Coverage(), Vacuous: r.Vacuous, Caveat: caveat(r.Result), Known: r.Known,
		Again: r.Again,
	}
	v := violation{r, Source{}}
	if r.Witness != nil {
		o.Witness, o.Happened, o.Reason = v.witnessObject(), r.How() == builtin.Observed, v.reasonObject()
		o.Witness.Places = v.places()
	}
	if r.Witness != nil && r.Witness.Reordered {
		o.How, o.Open = r.How().String(), r.Witness.Open
	}
	o.ConfirmationObject, o.Occurrence = confirmationObject(r.Confirmation), runsObject(r.Occurrence)
	if r.Violations != nil {
		o.ViolationCount = v.violationCount()
	}
	return o
}

func (v violation) witnessObject() *Witness {
	w := v.Witness
	return &Witness{
		TIVA: tivaObject(v.Net, w.TIVA), Slice: SliceObject(v.Net, w.Slice), Schedule: refs(v.Net, w.Schedule),
		Forgotten: v.Net.Lost(),
	}
}

// places returns the lines at which the tasks of TIVs are; nil if the trace has none.
func (v violation) places() map[string]string {
	var lines map[string]string
	for _, b := range v.Witness.TIVA {
		at := v.Net.Place(b.Task, v.Witness.Slice.At(b.Task))
		if at == "" || !v.created(b.Task) {
			continue
		}
		if lines == nil {
			lines = make(map[string]string)
		}
		lines[b.TIV] = at
	}
	return lines
}

// tivaObject returns the task of each TIV.
func tivaObject(net *san.Net, tiva []tlcheck.Binding) map[string]string {
	tasks := map[string]string{}
	for _, b := range tiva {
		tasks[b.TIV] = net.Name(b.Task)
	}
	return tasks
}

// refs returns the JSON form of actions.
func refs(net *san.Net, actions []san.Action) []Ref {
	all := []Ref{}
	for _, a := range actions {
		all = append(all, Ref{net.Name(a.Task), net.Number(a.Task, int(a.K))})
	}
	return all
}

// SliceObject returns the local state of every task created in a slice.
func SliceObject(net *san.Net, i slices.Ideal) map[string]int64 {
	states := map[string]int64{}
	for t := range san.Task(net.Tasks()) {
		if by, spawned := net.SpawnedBy(t); !spawned || i.Has(by) {
			states[net.Name(t)] = net.Number(t, i.At(t))
		}
	}
	return states
}

// WriteObject prints an object on a line, without escaping < > and &.
func WriteObject(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(object)
}
