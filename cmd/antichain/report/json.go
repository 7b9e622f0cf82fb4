package report

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Object is what check --json prints for one property.
type Object struct {
	Trace    string   `json:"trace"`
	Property string   `json:"property"`
	Formula  string   `json:"formula"`
	Verdict  string   `json:"verdict"`
	Witness  *Witness `json:"witness"`
	Happened bool     `json:"happened"`
}

// Witness shows where a property is false.
type Witness struct {
	TIVA     map[string]string `json:"tiva"`     // the task of each TIV
	Slice    map[string]int    `json:"slice"`    // the local state of each task created in it
	Schedule []Ref             `json:"schedule"` // events that lead there; a joint action stands once
}

// Ref is the k-th event of a task; in JSON the list [task, k].
type Ref struct {
	Task string
	K    int32
}

// MarshalJSON writes [task, k].
func (r Ref) MarshalJSON() ([]byte, error) {
	name, err := json.Marshal(r.Task)
	if err != nil {
		return nil, err
	}
	b := append([]byte{'['}, name...)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(r.K), 10)
	return append(b, ']'), nil
}

// Object returns the JSON form of a verdict, of a violated property with its witness.
func (v *Violation) Object(trace string) *Object {
	r := v.Result
	o := &Object{
		Trace: trace, Property: v.Property.Name, Formula: spec.Format(v.Property.Formula),
		Verdict: r.Verdict.String(),
	}
	if r.Witness != nil {
		o.Witness, o.Happened = v.witnessObject(), r.Witness.Happened
	}
	return o
}

func (v *Violation) witnessObject() *Witness {
	w := &Witness{TIVA: map[string]string{}, Slice: SliceObject(v.Net, v.witness().Slice), Schedule: []Ref{}}
	for _, a := range v.witness().TIVA {
		w.TIVA[a.TIV] = v.Net.Name(a.Task)
	}
	for _, a := range v.witness().Schedule {
		w.Schedule = append(w.Schedule, Ref{v.Net.Name(a.Task), a.K})
	}
	return w
}

// SliceObject returns the local state of every task created in a slice.
func SliceObject(net *san.Net, i slices.Ideal) map[string]int {
	states := map[string]int{}
	for t := range san.Task(net.Tasks()) {
		if by, spawned := net.SpawnedBy(t); !spawned || i.Has(by) {
			states[net.Name(t)] = i.At(t)
		}
	}
	return states
}

// WriteJSON prints one object on a line. The text of < > and & stays as it is.
func WriteJSON(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(object)
}
