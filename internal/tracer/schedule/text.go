package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// The text of a schedule:
//
//	antichain schedule 1
//	# deadlock: main.1 and main.2 wait for each other's locks
//	keep by number patience 1s
//	goroutine main.1 by main at bank.go:40 in main.main: go transfer(a, b)
//	main.1 lock at bank.go:21 time 2 object 1 in main.transfer: from.mu.Lock()
//
//	halt
//
// Steps with the same number behind "object" are on one object, and those with another number on
// others.
//
// Where lines of a function look alike apart from names, "alike 2/3" after the place identifies the
// second of three. For a go statement the time is the number of the goroutine among those started
// there.
//
// A program that is to halt does so after the step above "halt", or without that line after the
// last one.
//
// The line of the source follows the colon. A program ignores empty lines and those that begin with
// #.

// halts is the line after the step at which the program is to halt.
const halts = "halt"

// header is the first line of a schedule.
const header = "antichain schedule 1"

// Bounds of the input.
const (
	maxText  = 1 << 20
	maxLines = 10_000
)

// words maps words to operations that steps can have.
var words = wordsOf(op.Send, op.Recv, op.Handoff, op.Close, op.Select, op.Lock, op.Unlock, op.RLock, op.RUnlock,
	op.Add, op.Done, op.Wait, op.CondWait, op.Signal, op.Broadcast, op.Once, op.Misuse, op.AtomicLoad, op.AtomicStore,
	op.RecvClosed, op.Read, op.Write)

// KindOf returns the operation for a word, None if no step can have it.
func KindOf(word string) op.Kind { return words[word] }

// wordsOf names kinds. Of two kinds with one word the first is taken.
func wordsOf(kinds ...op.Kind) map[string]op.Kind {
	m := map[string]op.Kind{waits: op.Block}
	for _, k := range kinds {
		if _, ok := m[k.String()]; !ok {
			m[k.String()] = k
		}
	}
	return m
}

// String returns the text of the schedule.
func (s *Schedule) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, header)
	for _, c := range s.Comment {
		fmt.Fprintln(&b, strings.TrimRight("# "+oneLine(c), " "))
	}
	fmt.Fprintln(&b, s.Keep.text())
	for _, g := range s.Goroutines {
		fmt.Fprintf(&b, "goroutine %s by %s %s\n", g.Name, g.By, g.Line.text(g.Nth, 0, 0))
	}
	for _, step := range s.Steps {
		fmt.Fprintf(&b, "%s %s %s\n", step.Goroutine, step.Word(), step.Line.text(step.Nth, step.Object, step.Case))
		if step.Halt {
			fmt.Fprintln(&b, halts)
		}
	}
	return b.String()
}

// text returns how a schedule is kept, in the form of a schedule's text.
func (k Keep) text() string {
	text := "keep by number"
	switch {
	case k.Seed != 0:
		return "keep seed " + strconv.FormatUint(k.Seed, 10)
	case k.Roles:
		text = "keep by role quiet " + k.Quiet.String()
	}
	return text + " patience " + cmp.Or(k.Patience, DefaultPatience).String()
}

// text returns a line in the form of a schedule's text.
func (l Line) text(nth, object, choice int) string {
	text := "at " + l.At
	if strings.ContainsFunc(l.At, unicode.IsSpace) || strings.HasPrefix(l.At, `"`) {
		text = "at " + strconv.Quote(l.At)
	}
	if nth > 1 {
		text += " time " + strconv.Itoa(nth)
	}
	if object > 0 {
		text += " object " + strconv.Itoa(object)
	}
	if choice > 0 {
		text += " case " + strconv.Itoa(choice)
	}
	if l.Alike.Of > 1 {
		text += fmt.Sprintf(" alike %d/%d", l.Alike.Nth, l.Alike.Of)
	}
	if l.Function != "" {
		text += " in " + l.Function
	}
	if l.Text != "" {
		text += ": " + oneLine(l.Text)
	}
	return text
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// An Error is a mistake in the text of a schedule.
type Error struct {
	Line int // from 1
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Parse reads the text of a schedule. Its errors are of type *Error, except for those of reading.
func Parse(r io.Reader) (*Schedule, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxText:
		return nil, &Error{1, fmt.Errorf("a schedule has at most %d bytes", maxText)}
	case !utf8.Valid(data):
		return nil, &Error{1, errors.New("this is not UTF-8, and so no schedule")}
	}
	s := new(Schedule)
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if n == 1 {
			err = checkHeader(line)
		} else {
			err = s.parseLine(line)
		}
		if err == nil && n > maxLines {
			err = fmt.Errorf("a schedule has at most %d lines", maxLines)
		}
		if err != nil {
			return nil, &Error{n, err}
		}
	}
	switch {
	case n == 0:
		return nil, &Error{1, checkHeader("")}
	case len(s.Steps) == 0:
		return nil, &Error{n, errors.New("there is no step, such as: main lock at bank.go:21")}
	}
	return s, nil
}

func checkHeader(line string) error {
	if line == header {
		return nil
	}
	if strings.HasPrefix(line, "antichain schedule ") {
		return fmt.Errorf("this is a schedule of another version: this antichain knows %q", header)
	}
	return fmt.Errorf("this is no schedule, which begins with %q", header)
}

// parseLine reads one line behind the header.
func (s *Schedule) parseLine(line string) error {
	if line == "" {
		return nil
	}
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		s.Comment = append(s.Comment, strings.TrimSpace(comment))
		return nil
	}
	if line == halts {
		if len(s.Steps) == 0 {
			return errors.New("the program is halted behind a step, and there is none before")
		}
		s.Steps[len(s.Steps)-1].Halt = true
		return nil
	}
	if rest, ok := strings.CutPrefix(line, "keep "); ok {
		return s.Keep.parse(rest)
	}
	if rest, ok := strings.CutPrefix(line, "goroutine "); ok {
		return s.parseGoroutine(rest)
	}
	name, rest, _ := strings.Cut(line, " ")
	word, rest, _ := strings.Cut(rest, " ")
	kind, ok := words[word]
	event := Event("")
	if kinds[Event(word)] != "" {
		event, ok = Event(word), true
	}
	switch {
	case !isName(name):
		return fmt.Errorf("%q is no goroutine: these are called main, main.1, main.1.2 and so on", name)
	case !ok:
		return fmt.Errorf("%q is no operation that can be a step", word)
	}
	p, err := parsePlace(rest)
	if err == nil {
		s.Steps = append(s.Steps, Step{
			Goroutine: name, Kind: kind, Event: event, Nth: p.nth, Object: p.object, Case: p.choice, Line: p.Line,
		})
	}
	return err
}

// parse reads how a schedule is kept.
func (k *Keep) parse(text string) error {
	words := strings.Fields(text)
	*k = Keep{Roles: strings.HasPrefix(text, "by role")}
	if k.Roles || strings.HasPrefix(text, "by number") {
		words = words[2:]
	}
	for ; len(words) >= 2; words = words[2:] {
		var err error
		switch words[0] {
		case "patience":
			k.Patience, err = parseTime(words[1])
		case "quiet":
			k.Quiet, err = parseTime(words[1])
		case "seed":
			k.Seed, err = strconv.ParseUint(words[1], 10, 64)
		default:
			return errKeep
		}
		if err != nil {
			return err
		}
	}
	if len(words) > 0 {
		return errKeep
	}
	return nil
}

var errKeep = errors.New("this should be, for example: keep by number patience 1s, or: keep by role quiet 100ms " +
	"patience 1s, or: keep seed 7")

// maxTime bounds how long a program waits.
const maxTime = time.Hour

func parseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err == nil && (d < 0 || d > maxTime) {
		err = fmt.Errorf("%s: it must not be negative, nor more than %v", text, maxTime)
	}
	return d, err
}

// parseGoroutine reads the origin of a goroutine.
func (s *Schedule) parseGoroutine(rest string) error {
	name, rest, _ := strings.Cut(rest, " by ")
	by, rest, _ := strings.Cut(rest, " ")
	if !isName(name) || by == "" || Parent(name) != by {
		return errors.New("this should be, for example: goroutine main.1 by main at bank.go:40")
	}
	p, err := parsePlace(rest)
	if err == nil {
		s.Goroutines = append(s.Goroutines, Goroutine{Name: name, By: by, Nth: p.nth, Line: p.Line})
	}
	return err
}

// place is a line, with what stands behind it.
type place struct {
	Line
	nth, object, choice int
}

// parsePlace parses the output of Line.text.
func parsePlace(text string) (p place, err error) {
	p.nth = 1
	rest, ok := strings.CutPrefix(text, "at ")
	if !ok {
		return p, errors.New("behind the operation comes where it is, for example: at bank.go:21")
	}
	p.At, rest = cutPath(rest)
	rest, p.Text, _ = strings.Cut(rest, ": ")
	rest, p.Function, _ = strings.Cut(rest, "in ")
	if rest, p.Alike, err = cutAlike(rest); err != nil {
		return p, err
	}
	words := strings.Fields(rest)
	for ; len(words) >= 2; words = words[2:] {
		n, errNumber := strconv.Atoi(words[1])
		isNumber := errNumber == nil && n >= 1
		switch {
		case words[0] == "time" && isNumber && n <= maxTimes:
			p.nth = n
		case words[0] == "object" && isNumber && n <= ring.MaxObjects:
			p.object = n
		case words[0] == "case" && isNumber && n <= ring.MaxCase:
			p.choice = n
		case words[0] == "time":
			return p, fmt.Errorf("time %q: it is a number from 1, of how often the goroutine is there", words[1])
		case words[0] == "object":
			return p, fmt.Errorf("object %q: it is a number from 1 to %d", words[1], ring.MaxObjects)
		case words[0] == "case":
			return p, fmt.Errorf("case %q: it is a number from 1 to %d", words[1], ring.MaxCase)
		default:
			return p, fmt.Errorf("%q is no place: one is written bank.go:21", p.At+" "+rest)
		}
	}
	i := strings.LastIndexByte(p.At, ':')
	if line, err := strconv.Atoi(p.At[i+1:]); i <= 0 || err != nil || line < 1 || len(words) > 0 {
		return p, fmt.Errorf("%q is no place: one is written bank.go:21", p.At)
	}
	p.Text = strings.TrimSpace(p.Text)
	return p, nil
}

// maxTimes bounds how often a goroutine is at a line.
const maxTimes = 1 << 30

// cutAlike cuts the number among similar lines off the end of a text.
func cutAlike(text string) (rest string, a Alike, err error) {
	rest, numbers, ok := strings.Cut(text, " alike ")
	if !ok {
		return text, a, nil
	}
	nth, of, _ := strings.Cut(strings.TrimSpace(numbers), "/")
	var errOf error
	a.Nth, err = strconv.Atoi(nth)
	a.Of, errOf = strconv.Atoi(of)
	if err != nil || errOf != nil || a.Nth < 1 || a.Of < a.Nth || a.Of < 2 {
		return rest, Alike{}, fmt.Errorf("alike %q: it is two numbers, for example 2/3 for the second of three lines",
			strings.TrimSpace(numbers))
	}
	return rest, a, nil
}

// cutPath cuts a place off the front of a text.
func cutPath(text string) (at, rest string) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil && quoted[0] == '"' {
		at, _ = strconv.Unquote(quoted)
		return at, text[len(quoted):]
	}
	i := strings.IndexByte(text, ' ')
	if j := strings.Index(text, ": "); j >= 0 && (i < 0 || j < i) {
		i = j
	}
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i:]
}

// isName reports whether a goroutine can have that name.
func isName(name string) bool {
	rest, ok := strings.CutPrefix(name, "main")
	for ok && rest != "" {
		var number string
		if rest, ok = strings.CutPrefix(rest, "."); ok {
			i := strings.IndexByte(rest, '.')
			if i < 0 {
				i = len(rest)
			}
			number, rest = rest[:i], rest[i:]
			n, err := strconv.Atoi(number)
			ok = err == nil && n > 0 && strconv.Itoa(n) == number
		}
	}
	return ok
}
