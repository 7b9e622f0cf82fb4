package goroot

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"strings"
)

// A diff changes a few statements. Its lines begin like those of a unified diff: with a minus code
// to remove, with a plus code to add, with a blank code that must surround it. It is a semantic
// patch in the sense of Padioleau, Lawall, Hansen, Muller, Documenting and Automating Collateral
// Evolutions in Linux Device Drivers (EuroSys 2008): it matches code by its meaning, not by its
// layout. In it
//
//   - $x stands for a name, the same one at each occurrence; the names of parameters are given by
//     patch.in;
//   - ... stands for any statements or operands, as few as possible, that close all brackets which
//     they open.

// metaPrefix stands for the $ of a diff. It is a letter, which makes $x a name for the scanner.
const metaPrefix = "ª"

type diff struct {
	pattern []lexeme // the code that must be there
	gone    []bool   // for each of pattern: it is removed
	added   []string // code to insert before pattern[i] and after the last one, with metaPrefix
}

func parseDiff(text string) (*diff, error) {
	type line struct {
		sign byte
		at   int // where the line is in old, or would be
		text string
	}
	var old strings.Builder
	var lines []line
	for _, l := range strings.Split(text, "\n") {
		l = strings.ReplaceAll(strings.TrimLeft(l, "\t"), "$", metaPrefix)
		if l == "" {
			continue
		}
		lines = append(lines, line{l[0], old.Len(), strings.TrimSpace(l[1:])})
		switch l[0] {
		case ' ', '-':
			fmt.Fprintln(&old, l[1:])
		case '+':
		default:
			return nil, fmt.Errorf("line %q of a diff begins with none of blank, - and +", l)
		}
	}
	pattern, err := scan(old.String())
	if err != nil {
		return nil, err
	}
	if len(pattern) == 0 {
		return nil, errors.New("a diff without code to look for")
	}
	d := &diff{pattern: pattern, gone: make([]bool, len(pattern)), added: make([]string, len(pattern)+1)}
	i := 0
	for n, l := range lines {
		end := old.Len()
		if n+1 < len(lines) {
			end = lines[n+1].at
		}
		if l.sign == '+' {
			d.added[i] = joinLines(d.added[i], l.text)
		}
		for ; i < len(pattern) && pattern[i].from < end; i++ {
			d.gone[i] = l.sign == '-'
		}
	}
	return d, d.checkDots()
}

// checkDots reports dots that do not stand between two tokens, or that are to be removed.
func (d *diff) checkDots() error {
	isDots := func(i int) bool {
		return i < 0 || i == len(d.pattern) || d.pattern[i].tok == token.ELLIPSIS
	}
	for i, l := range d.pattern {
		if l.tok == token.ELLIPSIS && (d.gone[i] || isDots(i-1) || isDots(i+1)) {
			return errors.New("dots of a diff must stand between code, and cannot be removed")
		}
	}
	return nil
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// binding maps the names of a diff to names of the source.
type binding map[string]string

// match is a place where a diff applies: for each token of the pattern the source's, -1 for dots.
type match struct {
	at    []int
	names binding
}

// find returns the places in all[within.from:within.to] where the diff applies; names are known
// before. Places do not overlap.
func (d *diff) find(all []lexeme, within span, names binding) []match {
	var found []match
	if names == nil {
		names = make(binding)
	}
	for i := within.from; i < within.to; i++ {
		if !d.pattern[0].mayBe(&all[i]) {
			continue
		}
		m := match{at: make([]int, len(d.pattern)), names: maps.Clone(names)}
		if end, ok := d.matches(all[:within.to], i, 0, &m); ok {
			found = append(found, m)
			i = max(i, end-1)
		}
	}
	return found
}

// matches matches pattern[k:] with all[i:] and returns the index after it.
func (d *diff) matches(all []lexeme, i, k int, m *match) (end int, ok bool) {
	for ; k < len(d.pattern); k++ {
		p := &d.pattern[k]
		if p.tok == token.ELLIPSIS {
			return d.matchesDots(all, i, k, m)
		}
		isInner := k > 0 && d.pattern[k-1].tok != token.ELLIPSIS && !isClosing(p.tok)
		if i >= len(all) || isInner && p.begins != all[i].begins || !m.names.unify(p, all, i) {
			return 0, false
		}
		m.at[k] = i
		i++
	}
	return i, true
}

// matchesDots lets the dots at pattern[k] stand for as little as possible.
func (d *diff) matchesDots(all []lexeme, i, k int, m *match) (end int, ok bool) {
	m.at[k] = -1
	next := &d.pattern[k+1]
	for {
		if i < len(all) && next.mayBe(&all[i]) {
			try := match{at: m.at, names: maps.Clone(m.names)}
			if end, ok := d.matches(all, i, k+1, &try); ok {
				m.names = try.names
				return end, true
			}
		}
		if i >= len(all) || isClosing(all[i].tok) {
			return 0, false
		}
		if isOpening(all[i].tok) {
			if i = closingOf(all, i); i < 0 {
				return 0, false
			}
		}
		i++
	}
}

// isMeta reports whether a token of a pattern stands for a name.
func (l *lexeme) isMeta() bool { return l.tok == token.IDENT && strings.HasPrefix(l.text, metaPrefix) }

// mayBe reports whether a token of a pattern is one of the source, or stands for a name.
func (l *lexeme) mayBe(source *lexeme) bool {
	return l.isMeta() || l.tok == source.tok && l.text == source.text
}

// unify reports whether a token of a pattern is that of the source at i, or can stand for it from
// now on.
func (b binding) unify(p *lexeme, all []lexeme, i int) bool {
	l := &all[i]
	if !p.isMeta() {
		return p.tok == l.tok && p.text == l.text
	}
	if l.tok != token.IDENT || i > 0 && all[i-1].tok == token.PERIOD {
		return false
	}
	if text, ok := b[p.text]; ok {
		return text == l.text
	}
	for _, text := range b {
		if text == l.text {
			return false // it has another name in the diff
		}
	}
	b[p.text] = l.text
	return true
}

// fill returns code with the names that stand for those of the diff.
func (b binding) fill(code string) (string, error) {
	var missing string
	filled := metaForm.ReplaceAllStringFunc(code, func(name string) string {
		text, ok := b[name]
		if !ok {
			missing = name
		}
		return text
	})
	if missing != "" {
		return "", fmt.Errorf("nothing stands for $%s", strings.TrimPrefix(missing, metaPrefix))
	}
	return filled, nil
}

// edits returns the changes that the diff makes at a place of src.
func (d *diff) edits(src string, all []lexeme, m *match) ([]edit, error) {
	var changes []edit
	for k := 0; k <= len(d.pattern); k++ {
		text, end := d.added[k], k
		for end < len(d.pattern) && d.gone[end] {
			end++
			text = joinLines(text, d.added[end])
		}
		text, err := m.names.fill(text)
		if err != nil {
			return nil, err
		}
		switch {
		case end > k:
			from, to, err := extent(all, m.at[k], m.at[end-1])
			if err != nil {
				return nil, err
			}
			changes = append(changes, edit{from: from, to: to, text: text})
			k = end
		case text == "":
		case k == 0 || m.at[k-1] < 0:
			at, _ := all[m.at[k]].outer()
			changes = append(changes, edit{from: at, to: at, text: text + "\n"})
		default:
			_, at := all[m.at[k-1]].outer()
			at = afterSemicolon(src, at)
			changes = append(changes, edit{from: at, to: at, text: "\n" + text + "\n"})
		}
	}
	return changes, nil
}

// extent returns the range of the source from the first to the last token. It includes dropped
// parentheses whose other half is inside.
func extent(all []lexeme, first, last int) (from, to int, err error) {
	from, to = all[first].from, all[last].to
	for i := first; i <= last; i++ {
		opened, closed := all[i].pairsAround()
		for _, pair := range opened {
			switch opens, closes := pair.from >= all[first].from, pair.to < all[last].to; {
			case opens && !closes:
				if last+1 < len(all) && pair.to > all[last+1].from {
					return 0, 0, errHalf
				}
				to = max(to, pair.to+1)
			case closes && !opens:
				from = min(from, pair.from)
			}
		}
		for _, pair := range closed {
			if pair.to < all[last].to && first > 0 && pair.from < all[first-1].from {
				return 0, 0, errHalf
			}
		}
	}
	return from, to, nil
}

var errHalf = errors.New("a part of what is in parentheses would change")

// afterSemicolon returns the offset after a semicolon in the line of a statement that ends at an
// offset, or that offset.
func afterSemicolon(src string, at int) int {
	rest := src[at:]
	for {
		rest = strings.TrimLeft(rest, " \t\r")
		if strings.HasPrefix(rest, ";") {
			return len(src) - len(rest) + 1
		}
		if !strings.HasPrefix(rest, "/*") {
			return at
		}
		comment, after, ok := strings.Cut(rest, "*/")
		if !ok || strings.Contains(comment, "\n") {
			return at
		}
		rest = after
	}
}
