package jepsen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tracer/event"
)

// These are the values of EDN that are not of a type of Go.
type (
	keyword string // without the colon
	symbol  string
	list    []any    // also a vector or a set
	pairs   [][2]any // a map, in its order
)

// get returns the value of a keyword.
func (m pairs) get(k keyword) any {
	for _, p := range m {
		if p[0] == k {
			return p[1]
		}
	}
	return nil
}

// maxDepth bounds how deep values are nested.
const maxDepth = 100

// parser reads values of EDN.
type parser struct {
	name  string
	text  string
	at    int
	depth int
}

// fail returns an error at a place of the text.
func (p *parser) fail(at int, format string, args ...any) error {
	before := p.text[:min(at, len(p.text))]
	begin := strings.LastIndexByte(before, '\n') + 1
	line, column := strings.Count(before, "\n")+1, utf8.RuneCountInString(before[begin:])+1
	return &event.Error{
		Pos:    fmt.Sprintf("%s:%d:%d", event.Printable(p.name), line, column),
		Reason: fmt.Sprintf(format, args...),
	}
}

// skip goes to the next value, or to the end.
func (p *parser) skip() {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == ';':
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				p.at = len(p.text)
				return
			}
			p.at += end
		case c > ' ' && c != ',':
			return
		}
	}
}

// value reads the next value.
func (p *parser) value() (any, error) {
	if p.depth >= maxDepth {
		return nil, p.fail(p.at, "values are nested more than %d deep", maxDepth)
	}
	p.depth++
	defer func() { p.depth-- }()
	p.skip()
	if p.at == len(p.text) {
		return nil, p.fail(p.at, "the text ends where a value is expected")
	}
	switch c := p.text[p.at]; c {
	case '"':
		return p.string()
	case '{':
		return p.mapping()
	case '[':
		return p.list(1, ']')
	case '(':
		return p.list(1, ')')
	case '#':
		return p.dispatch()
	case ']', ')', '}':
		return nil, p.fail(p.at, "%q closes nothing", c)
	case '\\':
		return p.char()
	}
	return p.atom()
}

// dispatch reads what begins with #: a set, a value with a tag, or one that does not count.
func (p *parser) dispatch() (any, error) {
	switch rest := p.text[p.at+1:]; {
	case strings.HasPrefix(rest, "{"):
		return p.list(2, '}')
	case strings.HasPrefix(rest, "_"):
		p.at += 2
		if _, err := p.value(); err != nil {
			return nil, err
		}
		return p.value()
	case strings.HasPrefix(rest, "#"): // ##Inf
		p.at += 2
		return p.atom()
	}
	p.at++
	if _, err := p.atom(); err != nil { // what the value is of makes no difference
		return nil, err
	}
	return p.value()
}

func (p *parser) list(skip int, end byte) (any, error) {
	begin := p.at
	all := list{}
	for p.at += skip; ; {
		closed, err := p.closed(begin, end)
		if closed || err != nil {
			return all, err
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

func (p *parser) mapping() (any, error) {
	begin := p.at
	all := pairs{}
	for p.at++; ; {
		closed, err := p.closed(begin, '}')
		if closed || err != nil {
			return all, err
		}
		k, err := p.value()
		if err != nil {
			return nil, err
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		all = append(all, [2]any{k, v})
	}
}

// closed reports whether a collection ends here.
func (p *parser) closed(begin int, end byte) (bool, error) {
	p.skip()
	if p.at == len(p.text) {
		return false, p.fail(begin, "%q is not closed", p.text[begin])
	}
	if p.text[p.at] != end {
		return false, nil
	}
	p.at++
	return true, nil
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '"': `"`, '\\': `\`, 'b': "\b", 'f': "\f"}

func (p *parser) string() (any, error) {
	begin := p.at
	var text strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return text.String(), nil
		case '\\':
			if p.at++; p.at == len(p.text) {
				continue
			}
			if p.text[p.at] == 'u' && p.at+4 < len(p.text) {
				r, err := strconv.ParseUint(p.text[p.at+1:p.at+5], 16, 16)
				if err != nil {
					return nil, p.fail(p.at-1, "this is no escape in a string")
				}
				text.WriteRune(rune(r))
				p.at += 4
				continue
			}
			plain, ok := escapes[p.text[p.at]]
			if !ok {
				return nil, p.fail(p.at-1, "this is no escape in a string")
			}
			text.WriteString(plain)
		default:
			text.WriteByte(c)
		}
	}
	return nil, p.fail(begin, "the string does not end")
}

func (p *parser) char() (any, error) {
	p.at++
	begin := p.at
	_, n := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += n
	for p.at < len(p.text) && !isDelimiter(p.text[p.at]) {
		p.at++
	}
	return p.text[begin:p.at], nil
}

func isDelimiter(c byte) bool { return c <= ' ' || strings.IndexByte(`,;"()[]{}`, c) >= 0 }

// atom reads a number, a keyword or a symbol.
func (p *parser) atom() (any, error) {
	begin := p.at
	for p.at < len(p.text) && !isDelimiter(p.text[p.at]) {
		p.at++
	}
	text := p.text[begin:p.at]
	switch {
	case text == "":
		return nil, p.fail(begin, "a value is expected")
	case text == "nil":
		return nil, nil
	case text == "true", text == "false":
		return text == "true", nil
	case text[0] == ':':
		return keyword(text[1:]), nil
	}
	if n, err := strconv.ParseInt(strings.TrimSuffix(text, "N"), 10, 64); err == nil {
		return n, nil
	}
	if f, err := strconv.ParseFloat(strings.TrimSuffix(text, "M"), 64); err == nil && f == f {
		return f, nil
	}
	return symbol(text), nil
}
