package kafkaservice

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// verdict is a verdict on a property of a run, or on a run that is broken: a line of JSON on the standard output, or the
// value of a record in a topic.
type verdict struct {
	ID    string      `json:"id"`
	Run   string      `json:"run"`
	Event *report.Ref `json:"event,omitempty"` // the last one of those that lead to a violation
	*report.Object
	Finding *report.BuiltinObject `json:"-"`               // then there is no Object: the verdict is on a built-in property
	Error   *string               `json:"error,omitempty"` // what is wrong with the run; there is no property then

	// LeftOut is what is left out since the verdict is too long for a record.
	LeftOut string `json:"left_out,omitempty"`
}

// newVerdict returns the verdict on a property of a run.
func newVerdict(run string, r *tlcheck.Assessment) *verdict {
	if r.Property == nil {
		v := &verdict{Run: run, Finding: report.NewBuiltinObject(run, r)}
		name := v.Finding.Builtin
		if v.Finding.FindingObject != nil {
			name += " " + strconv.Quote(r.Program) + v.Finding.Text // of which a run may have several
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

// builtinVerdict is a verdict on a built-in property.
type builtinVerdict struct {
	ID  string `json:"id"`
	Run string `json:"run"`
	*report.BuiltinObject
	LeftOut string `json:"left_out,omitempty"`
}

// object returns what is written.
func (v *verdict) object() any {
	if v.Finding != nil {
		return builtinVerdict{v.ID, v.Run, v.Finding, v.LeftOut}
	}
	return v
}

// verdictID returns the same id whenever the same verdict is given again, by any member.
func verdictID(run, property string, event *report.Ref) string {
	text := strconv.Quote(run) + strconv.Quote(property)
	if event != nil {
		text += strconv.Quote(event.Task) + strconv.FormatInt(event.K, 10)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// verdictError is the verdict on a run that is broken.
const verdictError = "error"

// line returns the verdict as JSON.
func (v *verdict) line() []byte {
	var line bytes.Buffer
	if err := report.WriteObject(&line, v.object()); err != nil {
		panic(err) // it can be written
	}
	return bytes.TrimSpace(line.Bytes())
}

// short returns the verdict without what grows with the run, and with the beginnings of texts: the names of tasks in them can
// be of any length.
func (v *verdict) short() *verdict {
	if v.Finding != nil {
		return v.shortFinding()
	}
	short, object := *v, *v.Object
	short.Object = &object
	short.LeftOut = "the rest of long texts"
	object.Reason, object.Covered, object.Caveat = nil, beginningOf(object.Covered), beginningOf(object.Caveat)
	if w := object.Witness; w != nil {
		short.LeftOut = fmt.Sprintf("the schedule of %d events, the slice, the reason and %s", len(w.Schedule), short.LeftOut)
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
		object.FindingObject = &report.FindingObject{How: f.How, Text: beginningOf(f.Text), Count: f.Count, Happened: f.Happened}
	}
	return &short
}

// beginningOf returns the beginning of a text that is very long.
func beginningOf(text string) string {
	if len(text) <= maxWord {
		return text
	}
	return strings.ToValidUTF8(text[:maxWord], "") + "…"
}
