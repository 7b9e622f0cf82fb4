package kafkaservice

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// verdict is a verdict on a property of a run, or on a broken run: a line of JSON on the standard
// output, or the value of a record in a topic.
type verdict struct {
	ID    string      `json:"id"`
	Run   string      `json:"run"`
	Event *report.Ref `json:"event,omitempty"` // the last event of a violation
	*report.Object
	// of a built-in property; then there is no Object
	Finding *report.BuiltinObject `json:"-"`
	// error of the run; then there is no property
	Error *string `json:"error,omitempty"`

	// LeftOut names the parts that were omitted because the verdict is too long for a record.
	LeftOut string `json:"left_out,omitempty"`
}

// newVerdict returns the verdict on a property of a run.
func newVerdict(run string, r *tlcheck.Assessment) *verdict {
	if r.Property == nil {
		v := &verdict{Run: run, Finding: report.NewBuiltinObject(run, r, report.Source{})}
		name := v.Finding.Builtin
		if v.Finding.FindingObject != nil {
			// a run may have several of them
			name += " " + strconv.Quote(r.Program) + v.Finding.Text
		}
		v.ID = verdictID(run, "builtin "+name, nil)
		return v
	}
	v := &verdict{Run: run, Object: report.NewObject(run, r)}
	if w := v.Witness; w != nil && len(w.Schedule) > 0 {
		v.Event = &w.Schedule[len(w.Schedule)-1]
	}
	v.ID = verdictID(run, r.Property.Name, v.Event)
	return v
}

type builtinVerdict struct {
	ID  string `json:"id"`
	Run string `json:"run"`
	*report.BuiltinObject
	LeftOut string `json:"left_out,omitempty"`
}

func (v *verdict) object() any {
	if v.Finding != nil {
		return builtinVerdict{v.ID, v.Run, v.Finding, v.LeftOut}
	}
	return v
}

// verdictID returns an id that is equal whenever any member repeats the same verdict.
func verdictID(run, property string, event *report.Ref) string {
	text := strconv.Quote(run) + strconv.Quote(property)
	if event != nil {
		text += strconv.Quote(event.Task) + strconv.FormatInt(event.K, 10)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// verdictError is the verdict on a broken run.
const verdictError = "error"

// line returns the verdict as JSON.
func (v *verdict) line() []byte {
	var line bytes.Buffer
	if err := report.WriteObject(&line, v.object()); err != nil {
		panic(err) // it can be encoded
	}
	return bytes.TrimSpace(line.Bytes())
}

// short returns the verdict without the parts that grow with the run, and with truncated texts:
// names of tasks can be of any length.
func (v *verdict) short() *verdict {
	if v.Finding != nil {
		return v.shortFinding()
	}
	short, object := *v, *v.Object
	short.Object = &object
	short.LeftOut = "the rest of long texts"
	object.Reason, object.Covered, object.Caveat = nil, beginningOf(object.Covered), beginningOf(object.Caveat)
	if w := object.Witness; w != nil {
		short.LeftOut = fmt.Sprintf("the schedule of %d events, the slice, the reason and %s", len(w.Schedule),
			short.LeftOut)
		object.Witness = &report.Witness{TIVA: map[string]string{}, Forgotten: w.Forgotten}
		for tiv, task := range w.TIVA {
			object.Witness.TIVA[tiv] = beginningOf(task)
		}
	}
	if e := v.Event; e != nil {
		short.Event = &report.Ref{Task: beginningOf(e.Task), K: e.K}
	}
	if v.Error != nil {
		text := beginningOf(*v.Error)
		short.Error = &text
	}
	return &short
}

// shortFinding is short for a verdict on a built-in property.
func (v *verdict) shortFinding() *verdict {
	short, object := *v, *v.Finding
	short.Finding, object.Covered, object.Also = &object, beginningOf(object.Covered), nil
	short.LeftOut = "the goroutines involved, the schedule, the notes, reports with the same cause and the rest of long texts"
	if f := object.FindingObject; f != nil {
		object.Program = beginningOf(object.Program)
		object.FindingObject = &report.FindingObject{How: f.How, Text: beginningOf(f.Text), Count: f.Count,
			Happened: f.Happened}
	}
	return &short
}

// beginningOf truncates a very long text.
func beginningOf(text string) string { return wording.Beginning(text, maxWord) }
