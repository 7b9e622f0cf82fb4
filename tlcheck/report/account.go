package report

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Account is a result in a form that can be kept, sent to another process and put together with
// others: nothing in it refers to the run. Its texts are printable, and its positions are as people
// see them (Source.Path).
type Account struct {
	Trace    string `json:"trace"`             // what the run is called: a trace file, or a package
	Package  string `json:"package,omitempty"` // of the test binary that it is of, if it is of one
	Property string `json:"property"`
	Builtin  bool   `json:"builtin,omitempty"`
	Formula  string `json:"formula,omitempty"` // of a property of a specification
	Verdict  string `json:"verdict"`
	Covered  string `json:"covered,omitempty"` // why the verdict is unknown, or what it is about

	// Of evidence, else they are empty.
	How          string    `json:"how,omitempty"`
	Sentence     string    `json:"sentence,omitempty"` // what is wrong
	Participants []Actor   `json:"participants,omitempty"`
	Steps        []Moment  `json:"steps,omitempty"` // an order of what matters that leads there
	Confirmation string    `json:"confirmation,omitempty"`
	Known        string    `json:"known,omitempty"` // why it is not news
	Fingerprint  string    `json:"fingerprint,omitempty"`
	Also         []Account `json:"also,omitempty"` // what else has the same cause

	Text   string          `json:"text"`   // the report in words, without colours
	Object json.RawMessage `json:"object"` // as WriteJSON prints it
}

// Actor is a task that takes part in what is wrong.
type Actor struct {
	Task     string `json:"task"`
	Does     string `json:"does"`
	Function string `json:"function,omitempty"` // in which it stands
	At       string `json:"at,omitempty"`       // "file.go:12"
	// what led there, innermost first; Does is the function
	Calls []Moment `json:"calls,omitempty"`
	Holds []Moment `json:"holds,omitempty"` // the locks that it holds, where they were taken
}

// Moment is something that a task does at a place.
type Moment struct {
	Task string `json:"task"`
	Does string `json:"does"`
	At   string `json:"at,omitempty"`

	// After are, in an order, the moments of other tasks that come directly before this one for
	// what they do.
	After []int `json:"after,omitempty"`
}

// NewAccount returns the account of a result of a run that is called trace.
func NewAccount(trace string, s Subject, style Style) (*Account, error) {
	r := s.Assessment()
	style.Colour = false
	var text, object bytes.Buffer
	if err := WriteText(&text, r, style); err != nil {
		return nil, err
	}
	if err := WriteJSON(&object, trace, r); err != nil {
		return nil, err
	}
	a := &Account{
		Trace: trace, Property: event.Printable(r.Name()), Builtin: r.Property == nil, Verdict: r.Verdict.String(),
		Covered: event.Printable(r.Coverage()), Known: r.Known, Text: text.String(), Object: bytes.TrimSpace(object.Bytes()),
	}
	if r.Property != nil {
		a.Formula = event.Printable(spec.FormatProperty(r.Property))
	}
	if r.Confirmation != nil {
		a.Confirmation = confirmationText(r.Confirmation)
	}
	switch {
	case r.Finding != nil:
		a.find(r, style)
	case r.Witness != nil:
		a.witness(violation{r, style.Source})
	}
	return a, nil
}

// find tells a finding.
func (a *Account) find(r *tlcheck.Assessment, style Style) {
	f := findingOf(r, style.Source)
	a.How, a.Sentence, a.Fingerprint = f.How.String(), event.Printable(f.text()), Fingerprint(r.Result, style.Source)
	for i := range f.Parties {
		a.Participants = append(a.Participants, f.participant(&f.Parties[i]))
	}
	a.Steps = f.moments()
	for i := range f.Also {
		also := r.Also(i)
		other := Account{Trace: a.Trace, Property: string(also.Builtin), Builtin: true, Verdict: also.Verdict.String(), Known: also.Known}
		other.find(also, style)
		a.Also = append(a.Also, other)
	}
}

// participant tells what a party does, and what it holds.
func (f finding) participant(p *builtin.Party) Actor {
	l := f.result.Names.Place(p.At)
	who := Actor{Task: f.taskName(p.Task), Does: event.Printable(f.does(p)), At: f.objects.source.place(place(&l))}
	for _, h := range p.Holds {
		l := f.result.Names.Place(h.At)
		who.Holds = append(who.Holds,
			Moment{Task: who.Task, Does: event.Printable(strings.TrimSuffix(f.heldText(h), ", taken")),
				At: f.objects.source.place(place(&l))})
	}
	inside, callers := split(&l)
	if len(inside) > 0 {
		who.Function = functionText(inside[len(inside)-1].Function)
	}
	for _, c := range callers {
		if !wrapper.MatchString(c.Function) {
			who.Calls = append(who.Calls,
				Moment{Task: who.Task, Does: functionText(c.Function), At: f.objects.source.place(c.At)})
		}
	}
	return who
}

// witness tells a violation of a specification.
func (a *Account) witness(v violation) {
	a.How, a.Fingerprint = v.How().String(), Fingerprint(v.Result, v.source)
	var standing []string
	for _, b := range v.Witness.TIVA {
		standing = append(standing, v.standingText(b))
		who := Actor{Task: event.Printable(v.Net.Name(b.Task)), Does: "is " + b.TIV}
		if v.created(b.Task) {
			state := v.state(b.Task)
			who.At = v.source.place(v.Net.Place(b.Task, state.K()))
			if v.Net.HasFunctions() {
				who.Function = stackText(state)
			}
		}
		a.Participants = append(a.Participants, who)
	}
	a.Sentence = strings.Join(append(standing, v.happenedText()), "; ")
	a.Steps = newChooser(v).moments()
}
