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

// The layouts that are guessed. Everything that begins with a brace is a clock: a truncated clock
// is an error, not text.
const (
	clockLine  = `(?<host>\S+)[ \t]+(?<clock>\{.*)`
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

// guess returns the layout of a log, and the offset at which its events begin. If the first line is
// an expression, that is the layout, and the events begin after it. l is nil if it is unknown.
func guess(text string) (l *layout, begin int, err error) {
	first, rest := nextLine(text)
	if isExpression(first) {
		l, err = newLayout(strings.TrimSpace(first))
		return l, len(text) - len(rest), err
	}
	second, _ := nextLine(rest)
	switch {
	case clockBegins.MatchString(first):
		l, err = newLayout(clockFirst)
	case clockBegins.MatchString(second):
		l, err = newLayout(eventFirst)
	}
	return l, 0, err
}

// nextLine returns the first line that is not blank, and the rest.
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
