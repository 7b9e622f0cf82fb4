// Package schedule describes an order of a few operations that a program is to keep. It is a text
// for people, and survives changes of the program.
//
//	s, err := schedule.Parse(text)
//	changes := s.Find(sources)                 // where its lines are now
//	kept, err := s.Compile(executable, s.Keep) // what ring.Options.Schedule takes
//
// Goroutines that are not named, and operations that are not listed, run freely.
package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/op"
)

// Schedule is an order of operations.
type Schedule struct {
	Comment    []string    // lines for readers
	Goroutines []Goroutine // those of the steps and their ancestors, without main
	Steps      []Step
	Keep       Keep
}

// Keep says how a program keeps a schedule. The zero value identifies goroutines by their numbers
// and has DefaultPatience.
type Keep struct {
	Roles    bool          // goroutines are identified by the go statements that started them
	Patience time.Duration // after which, without a step, the program continues freely
	// with Roles: after which, without any progress, a waiting goroutine is released
	Quiet time.Duration
	// if not 0, the steps are not kept: a steered schedule with this seed led there
	Seed uint64
}

// DefaultPatience is enough for programs without long timers.
const DefaultPatience = time.Second

// Goroutine says where a goroutine comes from.
type Goroutine struct {
	Name string // "main.2.1": the first that main.2 started
	By   string // "main.2"
	Nth  int    // its number among those that By started on that line, from 1
	Line        // the go statement
}

// Step is an operation of a goroutine.
type Step struct {
	Goroutine string
	Kind      op.Kind // Block if it blocks there; None for an event
	Event     Event   // "" for an operation
	// its number among the goroutine's operations on that line, or such events, since its previous
	// step; from 1
	Nth int
	// steps with the same number are on one object, those with another one on others; 0: on any
	Object int
	// on how many other objects the goroutine operates there before; 0 if that is unknown, or it
	// operates there on the same object before. Texts do not have it
	Others int
	// a program that the schedule halts stops right after this step, not after the last one
	Halt bool
	// the case that a select statement takes if it is ready, from 1, without those of nil channels;
	// 0: any
	Case int
	Line
}

// Event is an event of a specification: the entry or exit of a function, or a statement.
type Event string

// An event's line is that of the function, or of the statement.
const (
	Enter     Event = "enter"
	Exit      Event = "exit"
	Statement Event = "statement"
)

// waits is the word for a goroutine that blocks.
const waits = "waits"

// Word returns the word for the step's operation.
func (s Step) Word() string {
	switch {
	case s.Event != "":
		return string(s.Event)
	case s.Kind == op.Block:
		return waits
	}
	return s.Kind.String()
}

// isPlain reports whether the step is an access to memory that is not atomic.
func (s Step) isPlain() bool { return s.Kind == op.Read || s.Kind == op.Write }

func (s Step) isAtomic() bool { return s.Kind == op.AtomicLoad || s.Kind == op.AtomicStore }

// Meets reports whether the last two steps, and no others, are accesses to memory, which two
// goroutines are to make at once. One of the two may be atomic.
func (s *Schedule) Meets() bool {
	first := len(s.Steps) - 2
	if first < 0 || slices.ContainsFunc(s.Steps[:first], Step.isPlain) {
		return false
	}
	a, b := s.Steps[first], s.Steps[first+1]
	return a.isPlain() && (b.isPlain() || b.isAtomic()) || a.isAtomic() && b.isPlain()
}

// OfTest reports whether the schedule is of a test: package testing has started its goroutines.
func (s *Schedule) OfTest() bool {
	return slices.ContainsFunc(s.Goroutines, func(g Goroutine) bool {
		return strings.HasPrefix(g.Function, "testing.")
	})
}

// Needs reports whether a goroutine or a descendant of it has a step.
func (s *Schedule) Needs(goroutine string) bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool {
		return step.Goroutine == goroutine || strings.HasPrefix(step.Goroutine, goroutine+".")
	})
}

// Waits reports whether the schedule leads to blocked goroutines.
func (s *Schedule) Waits() bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Kind == op.Block })
}

// Words describes the step: "main.1: lock at bank.go:21".
func (s Step) Words() string {
	return fmt.Sprintf("%s: %s at %s", s.Goroutine, s.Word(), s.At)
}

// Line is a line of the program's source.
type Line struct {
	At       string // "dir/file.go:12"
	Function string // the function around it, "" if unknown
	Text     string // without space around it, "" if unknown
	Alike    Alike
}

// Alike identifies a line among those of its function that differ from it only in the names of
// variables, functions and types. The zero value means that this is unknown.
type Alike struct{ Nth, Of int } // from 1

// Executable locates lines in the code of a program.
type Executable interface {
	UserCode() []ring.Code
	Lines(map[string]bool) map[string][]ring.Code
}

// Program is a traced program. It caches the code of lines and of the user.
type Program struct {
	Executable Executable
	Sites      *site.Table // may be nil

	lines map[string][]ring.Code // nil for those that have no code
	user  []ring.Code
}

func (p *Program) code(lines map[string]bool) map[string][]ring.Code {
	if p.lines == nil {
		p.lines, p.user = make(map[string][]ring.Code), p.Executable.UserCode()
	}
	fresh := make(map[string]bool)
	for at := range lines {
		if _, known := p.lines[at]; !known {
			p.lines[at], fresh[at] = nil, true
		}
	}
	if len(fresh) > 0 {
		maps.Copy(p.lines, p.Executable.Lines(fresh))
	}
	return p.lines
}

// site returns the number of the site of an event.
func (p *Program) site(step Step) (n int, ok bool) {
	if p.Sites == nil {
		return 0, false
	}
	for i, s := range p.Sites.Sites {
		if s.Kind != kinds[step.Event] {
			continue
		}
		if step.Event == Statement && s.At == step.At || step.Event != Statement && s.Func == step.Function {
			return i, true
		}
	}
	return 0, false
}

var kinds = map[Event]site.Kind{Enter: site.Enter, Exit: site.Exit, Statement: site.Stmt}

// A MissingError reports a line of a schedule that has no code in the program.
type MissingError struct{ Line Line }

func (e *MissingError) Error() string {
	text := e.Line.At
	if e.Line.Text != "" {
		text += " (" + e.Line.Text + ")"
	}
	return "the program has no code at " + text
}

// Compile returns the schedule in the form that a program keeps, with the places of its lines in
// the code of that program. The error is a *MissingError, or says which step cannot be kept.
func (s *Schedule) Compile(program *Program, keep Keep) (kept *ring.Schedule, err error) {
	if slices.ContainsFunc(s.Steps, Step.isPlain) && !s.Meets() {
		return nil, errors.New("an access to memory is a step of a schedule only if the last two steps are accesses, " +
			"not both atomic, and no others")
	}
	lines := make(map[string]bool)
	for _, step := range s.Steps {
		if step.Event == "" {
			lines[step.At] = true
		}
	}
	for _, g := range s.Goroutines {
		lines[g.At] = true
	}
	code := program.code(lines)
	pair := len(s.Steps) // the first step of two that meet
	if s.Meets() {
		pair -= 2
	}
	kept = &ring.Schedule{
		Roles: keep.Roles, User: program.user, Patience: cmp.Or(keep.Patience, DefaultPatience), Quiet: keep.Quiet,
	}
	classes, err := s.origins(kept, code)
	if err != nil {
		return nil, err
	}
	players := make(map[string]int)
	for i, step := range s.Steps {
		meets := i >= pair
		number, found := 0, len(code[step.At]) > 0
		if step.Event != "" {
			number, found = program.site(step)
			number++
		}
		if !found {
			return nil, &MissingError{step.Line}
		}
		if _, ok := players[step.Goroutine]; !ok {
			players[step.Goroutine] = len(players)
		}
		kept.Steps = append(kept.Steps, ring.Step{
			Nth: step.Nth, Places: code[step.At], Site: number, Class: classes[step.Goroutine],
			Role:  players[step.Goroutine],
			Meets: meets, Writes: meets && (step.Kind == op.Write || step.Kind == op.AtomicStore), Atomic: meets &&
				step.isAtomic(),
			Waits: step.Event == "" && !meets && step.Kind != op.Lock && step.Kind != op.RLock &&
				step.Kind != op.Select, Decides: step.Kind == op.Select,
			Blocks: step.Kind == op.Block && step.Object != 0,
			Object: step.Object, Others: step.Others, Op: operations[step.Kind],
			Case: step.Case,
		})
	}
	if keep.Roles && len(players) > ring.MaxRoles {
		return nil, fmt.Errorf("%d goroutines have steps, and %d can", len(players), ring.MaxRoles)
	}
	return kept, nil
}

// operations are the kinds of steps that the program distinguishes by their records.
var operations = [op.KindCount]int{
	op.Lock: ring.OpLock, op.Unlock: ring.OpUnlock, op.RLock: ring.OpRLock, op.RUnlock: ring.OpRUnlock,
	op.Add: ring.OpAdd, op.Done: ring.OpDone, op.Wait: ring.OpWait, op.CondWait: ring.OpWait,
	op.Signal: ring.OpSignal, op.Broadcast: ring.OpBroadcast,
}

// origins adds the go statements that the goroutines of the steps come from, and returns for each
// goroutine 1 + the index of its own, 0 for main. A goroutine is one of those that another one
// started on a line or, where the line is unknown or not in the user's code, one of all that it
// started: the one of its number or, with roles, any.
func (s *Schedule) origins(kept *ring.Schedule, code map[string][]ring.Code) (of map[string]int, err error) {
	of = map[string]int{"main": 0}
	var add func(name string) (class int, err error)
	add = func(name string) (class int, err error) {
		if class, known := of[name]; known {
			return class, nil
		}
		i := slices.IndexFunc(s.Goroutines, func(g Goroutine) bool { return g.Name == name })
		if i < 0 && kept.Roles {
			return 0, fmt.Errorf("it is not said where %s comes from", name)
		}
		start := ring.Start{Nth: numberOf(name)}
		if start.Class, err = add(Parent(name)); err != nil {
			return 0, err
		}
		if i >= 0 && isWithin(code[s.Goroutines[i].At], kept.User) {
			start.Places, start.Nth = code[s.Goroutines[i].At], max(1, s.Goroutines[i].Nth)
		}
		if kept.Roles {
			start.Nth = 0
		}
		of[name] = 1 + indexOf(&kept.Starts, start, kept.Roles)
		return of[name], nil
	}
	for _, step := range s.Steps {
		if _, err := add(step.Goroutine); err != nil {
			return nil, err
		}
	}
	return of, nil
}

// indexOf returns the index of a go statement among others, to which it is added if it is not among
// them or is not to be shared.
func indexOf(all *[]ring.Start, start ring.Start, shared bool) int {
	i := slices.IndexFunc(*all, func(x ring.Start) bool {
		return shared && x.Class == start.Class && slices.Equal(x.Places, start.Places)
	})
	if i < 0 {
		i, *all = len(*all), append(*all, start)
	}
	return i
}

// numberOf returns the last number in the name of a goroutine.
func numberOf(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '.')+1:])
	if err != nil {
		return 1
	}
	return n
}

// isWithin reports whether code is not empty and lies within ranges.
func isWithin(code, ranges []ring.Code) bool {
	return len(code) > 0 && !slices.ContainsFunc(code, func(c ring.Code) bool {
		return !slices.ContainsFunc(ranges, func(r ring.Code) bool { return r.Lo <= c.Lo && c.Hi <= r.Hi })
	})
}

// Fit drops the steps that have no code in the program, and returns them in words.
func (s *Schedule) Fit(program *Program) (dropped []string) {
	for len(s.Steps) > 0 {
		var missing *MissingError
		if _, err := s.Compile(program, s.Keep); !errors.As(err, &missing) {
			break
		}
		at := missing.Line.At
		s.Steps = slices.DeleteFunc(s.Steps, func(step Step) bool { return step.At == at })
		s.Goroutines = slices.DeleteFunc(s.Goroutines, func(g Goroutine) bool { return g.At == at })
		dropped = append(dropped, missing.Error())
		if slices.ContainsFunc(s.Steps, Step.isPlain) { // a plain access without its partner
			s.Steps = nil
		}
	}
	return dropped
}

// HaltBehind returns the number of steps after which the program is to halt.
func (s *Schedule) HaltBehind() int {
	if i := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Halt }); i >= 0 {
		return i + 1
	}
	return len(s.Steps)
}

// Parent returns the name of the goroutine that started the one of that name, "" for main.
func Parent(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return name[:i]
}
