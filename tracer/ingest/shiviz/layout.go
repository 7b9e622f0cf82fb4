package shiviz

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// The names of the groups that every layout has.
const (
	groupHost  = "host"
	groupClock = "clock"
	groupEvent = "event"
)

// groupTrace is the group of a delimiter with the name of the execution behind it.
const groupTrace = "trace"

// The layouts that are guessed. Everything that begins with a brace is a clock: a truncated clock
// is an error, not text.
const (
	clockLine  = `(?<host>\S+)[ \t]+(?<clock>(?:"\{\\"|\{).*)`
	clockFirst = `^` + clockLine + `\n(?<event>.*)$`
	eventFirst = `^(?<event>.*)\n` + clockLine + `$`
)

// layout finds the parts of an event.
type layout struct {
	*regexp.Regexp
	host, clock, event int // groups
	others             []int
}

// newLayout compiles an expression. As in ShiViz ^ and $ are about lines.
func newLayout(expression string) (*layout, error) {
	re, err := regexp.Compile("(?m)" + expression)
	if err != nil {
		return nil, fmt.Errorf("%q: %s (look-around and back-references do not exist here)", expression,
			event.Printable(err.Error()))
	}
	l := &layout{Regexp: re}
	for i, name := range re.SubexpNames() {
		switch name {
		case groupHost:
			l.host = i
		case groupClock:
			l.clock = i
		case groupEvent:
			l.event = i
		case "":
		default:
			l.others = append(l.others, i)
		}
	}
	if l.host == 0 || l.clock == 0 || l.event == 0 {
		return nil, fmt.Errorf("%q: the groups (?<host>…), (?<clock>…) and (?<event>…) must all be there", expression)
	}
	return l, nil
}

var clockBegins = regexp.MustCompile(`^` + clockLine)

// form is the form of a log.
type form struct {
	layout    *layout        // of an event
	delimiter *regexp.Regexp // the lines between executions; nil if there are none
	header    string         // the line of the log that has the layout, "" if none has
}

// usual is the delimiter of ShiViz's own examples.
var usual = regexp.MustCompile(`(?m)^=== *(?<trace>.*?) *===[ \t]*$`)

// complete finds out what is not known of the form, and returns the offset at which the events
// begin. If the first line is an expression, that is the layout; if it has the group trace, the one
// behind is the delimiter. The layout stays nil if it is unknown.
func (f *form) complete(text string) (begin int, err error) {
	first, rest := nextLine(text)
	if f.layout == nil && isExpression(first) {
		f.header = strings.TrimSpace(first)
		if f.layout, err = newLayout(f.header); err != nil {
			return 0, err
		}
		begin = len(text) - len(rest)
		if first, rest = nextLine(rest); f.delimiter == nil && strings.Contains(first, "(?<"+groupTrace+">") {
			if f.delimiter, err = newDelimiter(strings.TrimSpace(first)); err != nil {
				return 0, err
			}
			begin = len(text) - len(rest)
		}
	}
	if f.delimiter == nil && usual.MatchString(first) {
		f.delimiter = usual
	}
	if f.layout == nil {
		f.layout, err = f.guess(text)
	}
	return begin, err
}

// newDelimiter compiles an expression. As in ShiViz ^ and $ are about lines.
func newDelimiter(expression string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?m)" + expression)
	if err != nil {
		return nil, fmt.Errorf("%q: %s (look-around and back-references do not exist here)", expression,
			event.Printable(err.Error()))
	}
	return re, nil
}

// guess returns the layout that the first two lines have, nil if it is unknown.
func (f *form) guess(text string) (*layout, error) {
	first, rest := nextLine(text)
	if f.delimiter != nil && f.delimiter.MatchString(first) {
		first, rest = nextLine(rest)
	}
	second, _ := nextLine(rest)
	switch {
	case clockBegins.MatchString(first):
		return newLayout(clockFirst)
	case clockBegins.MatchString(second):
		return newLayout(eventFirst)
	}
	return nil, nil
}

// nextLine returns the first line that is not blank, and the text after it.
func nextLine(text string) (line, rest string) {
	for text != "" {
		line, text, _ = strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" {
			return line, text
		}
	}
	return "", ""
}

func isExpression(line string) bool {
	for _, group := range []string{groupHost, groupClock, groupEvent} {
		if !strings.Contains(line, "<"+group+">") {
			return false
		}
	}
	return strings.Contains(line, "(?")
}
