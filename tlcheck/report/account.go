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

// Account is a result in a form that can be stored, sent to another process and combined with
// others: it does not refer to the run. Its texts are printable, and its positions are as people
// see them (Source.Path).
type Account struct {
	Trace    string `json:"trace"`             // the name of the run: a trace file, or a package
	Package  string `json:"package,omitempty"` // of the test binary, if there is one
	Property string `json:"property"`
	Builtin  bool   `json:"builtin,omitempty"`
	Formula  string `json:"formula,omitempty"` // of a property of a specification
	Verdict  string `json:"verdict"`
	Covered  string `json:"covered,omitempty"` // why the verdict is unknown, or what it covers

	// Set if there is evidence.
	How          string  `json:"how,omitempty"`
	Sentence     string  `json:"sentence,omitempty"` // what is wrong
	Participants []Actor `json:"participants,omitempty"`
	// an order of the relevant events that leads there
	Steps        []Moment  `json:"steps,omitempty"`
	Confirmation string    `json:"confirmation,omitempty"`
	Known        string    `json:"known,omitempty"` // why the evidence is known already
	Fingerprint  string    `json:"fingerprint,omitempty"`
	Also         []Account `json:"also,omitempty"` // other findings with the same cause

	Text   string          `json:"text"`   // the report in words, without colours
	Object json.RawMessage `json:"object"` // as WriteJSON prints it
}

// Actor is a task that takes part in the violation or finding.
type Actor struct {
	Task     string `json:"task"`
	Does     string `json:"does"`
	Function string `json:"function,omitempty"` // the function that it is in
	At       string `json:"at,omitempty"`       // "file.go:12"
	// the calls that led there, innermost first; Does has the function
	Calls []Moment `json:"calls,omitempty"`
	Holds []Moment `json:"holds,omitempty"` // the locks that it holds, and where it took them
}

// Moment is an operation of a task at a place.
type Moment struct {
	Task string `json:"task"`
	Does string `json:"does"`
	At   string `json:"at,omitempty"`

	// After are the earlier moments, of other tasks in the order, that enable this one directly.
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

// participant describes what a party does and holds.
func (f finding) participant(p *builtin.Party) Actor {
	l := f.result.Names.Place(p.At)
	who := Actor{Task: f.taskName(p.Task), Does: event.Printable(f.actionText(p)),
		At: f.objects.source.place(place(&l))}
	for _, h := range p.Holds {
		who.Holds = append(who.Holds,
			Moment{Task: who.Task, Does: event.Printable(strings.TrimSuffix(f.heldText(h), ", taken")),
				At: f.objects.source.place(f.place(h.At))})
	}
	inside, callers := splitCalls(&l)
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

// witness adds a violation of a specification to the account.
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
