package event

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s for output to a terminal or into a report. Names and values of a trace are
// text of the traced program and must not control the terminal. So control characters (including
// line ends and escape sequences), characters that change the direction of writing, other invisible
// characters, and bytes that are not UTF-8 come out as \n, \x1b, \u202e and the like. A string
// without these is returned unchanged. The result is for reading: a backslash in s stays single, so
// the original cannot be recovered.
func Printable(s string) string {
	bad := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if strings.IndexFunc(s, bad) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + string(hexDigits[s[i]>>4]) + string(hexDigits[s[i]&15]))
		case unicode.IsPrint(r):
			b.WriteString(s[i : i+n])
		default:
			quoted := strconv.QuoteRuneToASCII(r) // '\u202e'
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += n
	}
	return b.String()
}
