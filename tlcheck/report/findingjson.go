package report

import (
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// BuiltinObject is the JSON form of a result for a built-in property.
type BuiltinObject struct {
	Trace string `json:"trace,omitempty"`
	// the program of the finding, if the run may have several
	Program string `json:"program,omitempty"`
	Builtin string `json:"builtin"`
	Verdict string `json:"verdict"`
	Covered string `json:"covered,omitempty"` // why the verdict is unknown
	Vacuous string `json:"vacuous,omitempty"` // why a property that holds could not be violated
	Known   string `json:"known,omitempty"`   // why the finding is known already
	*FindingObject
	// the waits that others may still end, with one result for stuck
	Open *builtin.Open    `json:"open,omitempty"`
	Also []*BuiltinObject `json:"also,omitempty"` // findings with the same cause, without a trace
}

// Findings returns the object and those in Also.
func (o *BuiltinObject) Findings() []*BuiltinObject { return append([]*BuiltinObject{o}, o.Also...) }

// FindingObject has the fields of a finding.
type FindingObject struct {
	How      string        `json:"how"`
	Text     string        `json:"text"`
	Count    int           `json:"count"`
	Parties  []PartyObject `json:"parties"`
	Schedule []StepObject  `json:"schedule"`
	Happened bool          `json:"happened"`
	Notes    []string      `json:"notes"`
	// the tests that parties belong to, here and where it was found besides
	Tests []string `json:"tests,omitempty"`

	Assumes *AssumedObject `json:"assumes,omitempty"`

	*ConfirmationObject // if a confirmation was tried

	Occurrence *RunsObject `json:"occurrence,omitempty"` // if there were several runs

	Again string `json:"again,omitempty"` // the command that shows the finding again
}

// ConfirmationObject is the outcome of running the program again to make a finding happen.
type ConfirmationObject struct {
	Confirmed    string `json:"confirmed"` // as in tlcheck.ConfirmationOutcome
	Attempts     int    `json:"attempts"`
	Detail       string `json:"confirmed_detail,omitempty"`
	ScheduleFile string `json:"schedule_file,omitempty"`
}

// AssumedObject is the assumption behind a finding: what the program does after a case of a select
// statement that was not taken.
type AssumedObject struct {
	Text   string `json:"text"`
	Select string `json:"select,omitempty"` // the statement, if the assumption is about a case
}

// PartyObject is a task that takes part.
type PartyObject struct {
	Task     string         `json:"task"`               // the precise name: "main.2"
	Name     string         `json:"name,omitempty"`     // in reports: "shop.worker #2"
	Function string         `json:"function,omitempty"` // the function that it runs
	Started  *StartedObject `json:"started,omitempty"`
	Test     string         `json:"test,omitempty"` // that it belongs to; TestMain for none of them
	Does     string         `json:"does"`
	PlacedObject
	Holds []PlacedObject `json:"holds,omitempty"`
	// of a wait that has lasted for a second, in milliseconds
	*WaitObject
}

// WaitObject says how long a task has waited, and when in the run that began, in milliseconds.
type WaitObject struct {
	Began int64 `json:"began_ms"`
	For   int64 `json:"waited_ms"`
}

// StartedObject says which task started another one.
type StartedObject struct {
	By string `json:"by"`
	At string `json:"at,omitempty"`
}

// PlacedObject is an operation on an object, with the calls that led to it, innermost first.
type PlacedObject struct {
	Op string `json:"op"`
	// by its number, the same everywhere in the run: "mutex 3"
	Object string `json:"object,omitempty"`
	// what the source line calls it: "l.mu"
	InSource string        `json:"in_source,omitempty"`
	At       string        `json:"at,omitempty"`
	Stack    []FrameObject `json:"stack,omitempty"`
}

// FrameObject is one call.
type FrameObject struct {
	Function string `json:"function"`
	At       string `json:"at"`
}

// StepObject is an operation of a schedule.
type StepObject struct {
	Task     string `json:"task"`
	Other    string `json:"other,omitempty"` // the receiver, or the started task
	Op       string `json:"op"`
	Object   string `json:"object,omitempty"`
	InSource string `json:"in_source,omitempty"`
	At       string `json:"at,omitempty"`
}

// confirmationObject returns nil if no confirmation was tried.
func confirmationObject(c *tlcheck.Confirmation) *ConfirmationObject {
	if c == nil {
		return nil
	}
	return &ConfirmationObject{c.Outcome.String(), c.Attempts, c.Detail, c.Schedule}
}

// NewBuiltinObject returns the JSON form of a result of a run for a built-in property; trace is
// what the run is called. Texts name objects as the source does, if it can be read.
func NewBuiltinObject(trace string, s Subject, source Source) *BuiltinObject {
	r := s.Assessment()
	o := &BuiltinObject{Trace: trace, Builtin: string(r.Builtin), Verdict: r.Verdict.String(), Program: r.Program,
		Covered: r.Coverage(), Vacuous: r.Vacuous, Known: r.Known, Open: r.Open}
	if r.Finding != nil {
		o.FindingObject = findingOf(r, source).object()
		o.ConfirmationObject, o.Occurrence = confirmationObject(r.Confirmation), runsObject(r.Occurrence)
		o.Again = r.Again
		for i := range r.Finding.Also {
			also := r.Also(i)
			object := findingOf(also, source).object()
			object.ConfirmationObject = confirmationObject(also.Confirmation)
			o.Also = append(o.Also, &BuiltinObject{Builtin: string(also.Builtin), Verdict: also.Verdict.String(),
				FindingObject: object})
		}
	}
	return o
}

func (f finding) object() *FindingObject {
	o := &FindingObject{
		How: f.How.String(), Text: f.namedText(), Count: f.Count, Happened: f.How == builtin.Observed,
		Parties: []PartyObject{}, Schedule: []StepObject{}, Notes: []string{}, Tests: f.tests(),
	}
	for _, n := range f.Notes {
		o.Notes = append(o.Notes, f.objects.sentence(n))
	}
	if f.Guess != nil {
		o.Assumes = &AssumedObject{Text: f.Guess.Text}
		if f.Guess.Select != 0 {
			o.Assumes.Select = f.place(f.Guess.Select)
		}
	}
	for i := range f.Parties {
		o.Parties = append(o.Parties, f.partyObject(&f.Parties[i]))
	}
	for _, s := range f.Schedule {
		step := StepObject{Task: f.taskObject(s.Task), Op: s.Kind.String(), Object: f.objectName(s.Object),
			InSource: f.objects.at[mention{s.Object, s.At}], At: f.place(s.At)}
		if s.Kind == op.Handoff || s.Kind == op.Go {
			step.Other = f.taskObject(s.Other)
		}
		o.Schedule = append(o.Schedule, step)
	}
	return o
}

func (f finding) partyObject(p *builtin.Party) PartyObject {
	o := PartyObject{
		Task: f.taskObject(p.Task), Does: f.actionText(p),
		PlacedObject: f.placedObject(p.Kind, p.Object, p.At), WaitObject: waitObject(p),
	}
	for _, h := range p.Holds {
		o.Holds = append(o.Holds, f.placedObject(h.Kind, h.Object, h.At))
	}
	if p.Task == op.NoTask {
		return o
	}
	origin := f.result.Names.Task(p.Task)
	o.Name, o.Function, o.Test = origin.DisplayName(), origin.Function, TestOf(p, f.result.Names)
	if origin.By != op.NoTask {
		o.Started = &StartedObject{By: f.taskObject(origin.By), At: f.startPlace(origin.At)}
	}
	return o
}

func (f finding) placedObject(kind op.Kind, object op.Object, at op.Place) PlacedObject {
	l := f.result.Names.Place(at)
	o := PlacedObject{
		Op: kind.String(), Object: f.objectName(object), InSource: f.objects.at[mention{object, at}], At: place(&l),
	}
	for _, frame := range l.Stack {
		o.Stack = append(o.Stack, FrameObject{frame.Function, frame.At})
	}
	return o
}

// taskObject returns the name of a task for programs; "" for none.
func (f finding) taskObject(t op.Task) string {
	if t == op.NoTask {
		return ""
	}
	return f.result.Names.Task(t).Name
}

func (f finding) objectName(o op.Object) string {
	if o == 0 {
		return ""
	}
	return f.result.Names.Object(o)
}
