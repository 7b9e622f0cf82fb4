package spec

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/bom"
)

// FormatSource returns a .tl file in the canonical layout, as gofmt does for Go. It changes only
// blanks and line ends, and preserves tokens and comments. It also preserves line breaks within a
// formula, and one blank line between two declarations. An error is an *Error.
func FormatSource(filename, src string) (string, error) {
	file, err := Parse(filename, src)
	if err != nil {
		return "", err
	}
	l := layout{text: bom.Trim(src), starts: file.starts}
	lex := newLexer("", src)
	end := 0
	for {
		t, err := lex.next()
		if err != nil {
			return "", err
		}
		l.gap(l.text[end:t.off], t)
		if t.kind == tokEOF {
			return l.String(), nil
		}
		l.token(t)
		end = t.off + len(t.text)
	}
}

const (
	indentation = "    "
	maxLevel    = 16 // levels of indentation; deeper lines use the last one
	// greatest width of a line whose comment is aligned with those of its neighbours
	maxAligned = 100
)

// layout arranges tokens and comments in lines.
type layout struct {
	text   string
	starts []int // of the remaining declarations
	lines  []line

	breaks  int         // line breaks since the last token or comment
	comment bool        // the last element was a comment
	open    []opening   // open brackets, by line
	last    [2]layToken // the last tokens of the declaration, the latest first
}

// line is one line of output.
type line struct {
	code    []byte
	comment string
}

// opening counts the brackets of a line that are still open.
type opening struct{ line, brackets int }

// layToken is a token with its context.
type layToken struct {
	token
	head  bool // in the head of a property, which ends with a colon
	unary bool // a minus sign that does not subtract
}

// gap arranges the comments between the last token and t.
func (l *layout) gap(text string, t token) {
	l.breaks, l.comment = 0, false
	for text != "" {
		if !strings.HasPrefix(text, "//") {
			if text[0] == '\n' {
				l.breaks++
			}
			text = text[1:]
			continue
		}
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		l.addComment(strings.TrimRight(text[:end], " \t\r"), l.begins(t) || t.kind == tokEOF)
		text = text[end:]
		l.breaks, l.comment = 0, true
	}
}

func (l *layout) begins(t token) bool {
	return t.kind != tokEOF && len(l.starts) > 0 && l.starts[0] == t.off
}

// addComment arranges a comment: at the end of its line, or on a line of its own, between or within
// declarations.
func (l *layout) addComment(text string, between bool) {
	if n := len(l.lines) - 1; n >= 0 && l.breaks == 0 && l.lines[n].comment == "" && len(l.lines[n].code) > 0 {
		l.lines[n].comment = text
		return
	}
	indent := ""
	if !between {
		indent = l.indent()
	}
	l.newLine(between)
	l.lines[len(l.lines)-1].code = []byte(indent + text)
}

// newLine begins a line. It preserves a blank line that separates something.
func (l *layout) newLine(between bool) {
	if between && l.breaks > 1 && len(l.lines) > 0 {
		l.lines = append(l.lines, line{})
	}
	l.lines = append(l.lines, line{})
}

// indent returns the indentation of a line within a declaration. Each line that leaves brackets
// open adds a level.
func (l *layout) indent() string {
	return strings.Repeat(indentation, min(1+len(l.open), maxLevel))
}

func (l *layout) token(t token) {
	next := layToken{token: t, unary: t.is("-") && !l.last[0].endsOperand()}
	if l.begins(t) {
		l.starts = l.starts[1:]
		l.last, l.open = [2]layToken{}, nil
		next.head = t.is("property")
		l.newLine(true)
		l.put(next, "")
		return
	}
	next.head = l.last[0].head && !l.last[0].is(":")
	g := between(&l.last[1], &l.last[0], &next)
	if next.is(")") || next.is("]") {
		l.closeBracket()
	}
	switch {
	case l.comment, l.breaks > 0 && g.mayBreak:
		indent := l.indent()
		l.newLine(false)
		l.put(next, indent)
	case g.blank:
		l.put(next, " ")
	default:
		l.put(next, "")
	}
}

// put appends a token to the last line.
func (l *layout) put(t layToken, before string) {
	n := len(l.lines) - 1
	l.lines[n].code = append(append(l.lines[n].code, before...), t.text...)
	if t.is("(") || t.is("[") {
		l.openBracket(n)
	}
	l.last = [2]layToken{t, l.last[0]}
}

func (l *layout) openBracket(line int) {
	if n := len(l.open); n == 0 || l.open[n-1].line != line {
		l.open = append(l.open, opening{line: line})
	}
	l.open[len(l.open)-1].brackets++
}

func (l *layout) closeBracket() {
	n := len(l.open) - 1
	if l.open[n].brackets--; l.open[n].brackets == 0 {
		l.open = l.open[:n]
	}
}

// String returns the lines, with comments on neighbouring lines aligned.
func (l *layout) String() string {
	var b strings.Builder
	for from := 0; from < len(l.lines); {
		to, width := from, 0
		for to < len(l.lines) && l.lines[to].comment != "" && l.lines[to].width() <= maxAligned {
			width = max(width, l.lines[to].width())
			to++
		}
		to = max(to, from+1)
		for _, line := range l.lines[from:to] {
			b.Write(line.code)
			if line.comment != "" {
				b.WriteString(strings.Repeat(" ", max(0, width-line.width())+1) + line.comment)
			}
			b.WriteByte('\n')
		}
		from = to
	}
	return b.String()
}

func (l line) width() int { return utf8.RuneCount(l.code) }

// infixWords are words between or before operands, also in local formulas.
var infixWords = []string{"not", "and", "or", "implies"}

// endsOperand reports whether a minus sign after t subtracts.
func (t *layToken) endsOperand() bool {
	switch t.kind {
	case tokName:
		return !slices.Contains(infixWords, t.text)
	case tokPunct:
		return t.text == ")" || t.text == "]"
	}
	return t.kind != tokEOF
}

// arithmetic reports whether t is an operator with a higher precedence than comparisons. It gets no
// blanks, as in gofmt: (b.last-b.first)%N <= 1.
func (t *layToken) arithmetic() bool {
	return t.kind == tokPunct && !t.unary && slices.Contains([]string{"+", "-", "*", "/", "%"}, t.text)
}

// calls reports whether a parenthesis after t holds the arguments of a call.
func (t *layToken) calls(before *layToken) bool {
	_, builtin := Builtins[t.text]
	return t.kind == tokName && (builtin || t.text == "caller") && !before.is("forall") && !before.is("exists")
}

// glue is the space between two tokens on one line.
type glue struct {
	blank    bool
	mayBreak bool // a line break of the author is preserved
}

// between returns the glue between a token and the next one. earlier is the token before both.
func between(earlier, before, next *layToken) glue {
	switch {
	case next.head:
		return glue{blank: !next.is(":")}
	case before.head:
		return glue{blank: true, mayBreak: true}
	case next.is(".") && before.kind == tokName && !earlier.is("."): // x .y is not a dotted name
		return glue{blank: true}
	case next.is(",") || next.is(":") || next.is("^") || next.is("[") || next.is("."):
		return glue{}
	case before.is(":") || before.is("^") || before.is(".") || before.unary:
		return glue{}
	case next.is("(") && (before.calls(earlier) || earlier.is(operationWord)):
		return glue{}
	case before.is("(") || before.is("[") || next.is(")") || next.is("]"):
		return glue{mayBreak: true}
	case before.arithmetic() || next.arithmetic():
		return glue{blank: next.unary, mayBreak: true}
	}
	return glue{blank: true, mayBreak: true}
}
