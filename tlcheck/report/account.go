package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
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
	// the tests that participants belong to, here and where it was found besides
	Tests []string `json:"tests,omitempty"`
	// an order of the relevant events that leads there
	Steps []Moment `json:"steps,omitempty"`
	// how that order is known: "It did not happen in this run: …"
	Lead         string    `json:"lead,omitempty"`
	Confirmation string    `json:"confirmation,omitempty"`
	Again        string    `json:"again,omitempty"` // the command that shows it again
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

// NewAccount returns the account of a result. trace is the name of the run.
func NewAccount(trace string, s Subject, style Style) (*Account, error) {
	r := s.Assessment()
	style.Colour = false
	var text, object bytes.Buffer
	if err := WriteText(&text, r, style); err != nil {
		return nil, err
	}
	if err := WriteJSON(&object, trace, r, style.Source); err != nil {
		return nil, err
	}
	a := &Account{
		Trace: trace, Property: event.Printable(r.Name()), Builtin: r.Property == nil, Verdict: r.Verdict.String(),
		Covered: event.Printable(r.Coverage()), Known: r.Known, Again: r.Again,
		Text: text.String(), Object: bytes.TrimSpace(object.Bytes()),
	}
	if r.Property != nil {
		a.Formula = event.Printable(spec.FormatProperty(r.Property))
	}
	if r.Confirmation != nil {
		a.Confirmation = confirmationText(r.Confirmation)
	}
	switch {
	case r.Finding != nil:
		a.addFinding(r, style)
	case r.Witness != nil:
		a.addViolation(violation{r, style.Source})
	}
	return a, nil
}

func (a *Account) addFinding(r *tlcheck.Assessment, style Style) {
	f := findingOf(r, style.Source)
	a.How, a.Sentence, a.Fingerprint = f.How.String(), event.Printable(f.text()), Fingerprint(r.Result, style.Source)
	for _, test := range f.tests() {
		a.Tests = append(a.Tests, event.Printable(test))
	}
	for i := range f.Parties {
		a.Participants = append(a.Participants, f.participant(&f.Parties[i]))
	}
	a.Steps, a.Lead = f.moments(), f.leadText()
	for i := range f.Also {
		also := r.Also(i)
		other := Account{Trace: a.Trace, Property: string(also.Builtin), Builtin: true,
			Verdict: also.Verdict.String(), Known: also.Known}
		other.addFinding(also, style)
		a.Also = append(a.Also, other)
	}
}

// participant describes what a party does and holds.
func (f finding) participant(p *builtin.Party) Actor {
	l := f.result.Names.Place(p.At)
	actor := Actor{Task: f.taskName(p.Task), Does: event.Printable(f.actionText(p)),
		At: f.objects.source.place(place(&l))}
	if waited := hasWaited(p); waited != "" {
		actor.Does += " (" + waited + ")"
	}
	for _, h := range p.Holds {
		actor.Holds = append(actor.Holds,
			Moment{Task: actor.Task, Does: event.Printable(strings.TrimSuffix(f.heldText(h), ", taken")),
				At: f.objects.source.place(f.place(h.At))})
	}
	inside, callers := splitCalls(&l)
	actor.Function = runningText(inside)
	for _, c := range callers {
		if !wrapper.MatchString(c.Function) {
			actor.Calls = append(actor.Calls,
				Moment{Task: actor.Task, Does: functionText(c.Function), At: f.objects.source.place(c.At)})
		}
	}
	return actor
}

func (a *Account) addViolation(v violation) {
	a.How, a.Fingerprint = v.How().String(), Fingerprint(v.Result, v.source)
	var standing []string
	for _, b := range v.Witness.TIVA {
		standing = append(standing, v.standingText(b))
		actor := Actor{Task: event.Printable(v.Net.Name(b.Task)), Does: "is " + b.TIV}
		if v.created(b.Task) {
			state := v.state(b.Task)
			actor.At = v.source.place(v.Net.Place(b.Task, state.K()))
			if v.Net.HasFunctions() {
				actor.Function = stackText(state)
			}
		}
		a.Participants = append(a.Participants, actor)
	}
	a.Sentence = strings.Join(append(standing, v.happenedText()), "; ")
	a.Steps, a.Lead = newChooser(v).moments(), v.leadText()
}

// moments returns the events of the chart, without those that it leaves out.
func (f finding) moments() []Moment {
	c := f.chart()
	var all []Moment
	index := map[side]int{}
	for step, r := range c.rows {
		for _, i := range slices.Sorted(maps.Keys(r.cells)) {
			index[side{step, c.heads[i]}] = len(all)
			all = append(all, Moment{Task: c.heads[i], Does: r.cells[i].text, At: r.cells[i].at})
		}
	}
	received := map[int]bool{}
	for step := range f.Schedule {
		f.causes(step, index, all, received)
	}
	return all
}

// side is the part of a task in a step.
type side struct {
	step int
	task string
}

// causes returns the steps that enable a step. A receive takes the first element of a buffer that
// was not received.
func (f finding) causes(step int, index map[side]int, all []Moment, received map[int]bool) {
	s := f.Schedule[step]
	note := func(of int, task op.Task, after int, cause op.Task) {
		i, ok := index[side{of, f.taskName(task)}]
		j, known := index[side{after, f.taskName(cause)}]
		if ok && known && task != cause {
			all[i].After = append(all[i].After, j)
		}
	}
	switch s.Kind {
	case op.Go:
		if first := f.firstOf(s.Other, step+1); first >= 0 {
			note(first, s.Other, step, s.Task)
		}
	case op.Handoff:
		note(step, s.Other, step, s.Task)
	}
	if s.Object == 0 {
		return
	}
	if s.Kind == op.Recv {
		for before, b := range f.Schedule[:step] {
			if b.Object == s.Object && b.Kind == op.Send && !received[before] {
				received[before] = true
				note(step, s.Task, before, b.Task)
				return
			}
		}
	}
	for before := step - 1; before >= 0; before-- {
		if b := f.Schedule[before]; b.Object == s.Object && slices.Contains(releases[s.Kind], b.Kind) {
			note(step, s.Task, before, b.Task)
			return
		}
	}
}

// firstOf returns the first step of a task at or after from; -1 if there is none.
func (f finding) firstOf(t op.Task, from int) int {
	for i := from; i < len(f.Schedule); i++ {
		if s := f.Schedule[i]; s.Task == t || s.Kind == op.Handoff && s.Other == t {
			return i
		}
	}
	return -1
}

// releases maps a kind of operation that can block to the kinds, on the same object, that can let
// it continue.
var releases = map[op.Kind][]op.Kind{
	op.Lock: {op.Unlock, op.RUnlock}, op.RLock: {op.Unlock},
	op.RecvClosed: {op.Close}, op.Wait: {op.Done}, op.CondWait: {op.Signal, op.Broadcast},
	op.AtomicLoad: {op.AtomicStore}, op.Once: {op.Once, op.Unlock},
}

// moments returns the events of the chart, without those that it leaves out.
func (c *chooser) moments() []Moment {
	var all []Moment
	index := map[san.Action]int{}
	net := c.v.Net
	for _, a := range c.v.Witness.Schedule {
		first := -1 // index of the joint action's first side
		for _, one := range net.Sides(a) {
			if _, shown := c.columns[one.Task]; !shown || !c.matters[one] {
				continue
			}
			m := Moment{Task: event.Printable(net.Name(one.Task)), Does: c.labels[one].text, At: c.labels[one].at}
			causes := net.Causes(one)
			if by, ok := net.SpawnedBy(one.Task); ok &&
				!slices.ContainsFunc(all, func(other Moment) bool { return other.Task == m.Task }) {
				causes = append(causes, by)
			}
			for _, cause := range causes {
				if i, ok := index[cause]; ok && cause.Task != one.Task {
					m.After = append(m.After, i)
				}
			}
			if first >= 0 {
				m.After = append(m.After, first)
			} else {
				first = len(all)
			}
			index[one] = len(all)
			all = append(all, m)
		}
	}
	return all
}
