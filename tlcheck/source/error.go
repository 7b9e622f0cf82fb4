// Package source is the base of the lexers and parsers of all languages of antichain: a scanner,
// and errors with positions. An error shows the line with a caret below the mistake, the expected
// input, and the remedy.
//
//	scanner := source.NewScanner("bank.tl", text)
//	scanner.SkipBlanks()
//	name := scanner.While(unicode.IsLetter)
//	err := scanner.Unknown() // for a character that begins nothing in the language
package source

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is a mistake in a text, such as a specification.
type Error struct {
	File       string   // "" for a text without a name
	Line, Col  int      // from 1; columns in characters
	Msg        string   // what is wrong
	Expected   string   // the expected input; may be empty
	Hint       string   // the remedy; may be empty
	Candidates []string // the possible names, for an unknown or ambiguous one
	SourceLine string   // the line of the mistake, without its end
}

// Error returns the message followed by the source line and a caret below the position.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s", Place(e.File, e.Line, e.Col), e.Brief(), Excerpt(e.SourceLine, e.Col))
	for _, c := range e.Candidates {
		fmt.Fprintf(&b, "\n    candidate: %s", c)
	}
	return b.String()
}

// Place returns "file:line:column", or "line:column" for a text without a name.
func Place(file string, line, col int) string {
	place := fmt.Sprintf("%d:%d", line, col)
	if file != "" {
		place = file + ":" + place
	}
	return place
}

// Brief returns the message without the position, for a text that is embedded in another one.
func (e *Error) Brief() string {
	text := e.Msg
	if e.Expected != "" {
		text += "; expected " + e.Expected
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// maxExcerpt limits the part of a source line that an error shows, in characters.
const maxExcerpt = 120

// Excerpt returns the part of the line around col, made safe for a terminal, and below it a caret
// at col.
func Excerpt(line string, col int) string {
	rs := []rune(line)
	at := min(max(col-1, 0), len(rs))
	from := 0
	if at > maxExcerpt*2/3 {
		from = at - maxExcerpt*2/3
	}
	to := min(len(rs), from+maxExcerpt)
	var shown, blanks strings.Builder
	for i := from; i < to; i++ {
		r := rs[i]
		if r != '\t' && !unicode.IsPrint(r) {
			r = unicode.ReplacementChar
		}
		shown.WriteRune(r)
		if i < at {
			if r != '\t' {
				r = ' '
			}
			blanks.WriteRune(r)
		}
	}
	return fmt.Sprintf("    %s\n    %s^", shown.String(), blanks.String())
}

// maxName limits a name in an error, in characters.
const maxName = 60

// Short shortens a name that would hide the message.
func Short(name string) string {
	n := 0
	for i := range name {
		if n++; n == maxName {
			rest := name[i:]
			if utf8.RuneCountInString(rest) > 1 {
				return name[:i] + "…"
			}
		}
	}
	return name
}

// Line returns line n (from 1) of src.
func Line(src string, n int) string {
	for ; n > 1; n-- {
		i := strings.IndexByte(src, '\n')
		if i < 0 {
			return ""
		}
		src = src[i+1:]
	}
	line, _, _ := strings.Cut(src, "\n")
	return strings.TrimSuffix(line, "\r")
}

// Closest returns the candidate most similar to name, if it is similar enough to be what the user
// meant, else "".
func Closest(name string, candidates []string) string {
	best, bestDist := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if len(c) > len(name)+bestDist || len(name) > len(c)+bestDist {
			continue
		}
		if d := Distance(strings.ToLower(name), strings.ToLower(c)); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// Distance counts insertions, deletions, replacements and swaps of neighbours (the optimal string
// alignment distance).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	var rows [3][66]int
	for j := range len(y) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur, prev, older := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}
