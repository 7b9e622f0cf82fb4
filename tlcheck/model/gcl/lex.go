package gcl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource limits the bytes of a program.
const MaxSource = source.MaxLength

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokName
	tokKeyword
	tokNumber
	tokPunct
)

type token struct {
	kind tokenKind
	text string // keywords and punctuation in their canonical spelling
	pos  Pos
}

func (t *token) describe() string {
	if t.kind == tokEOF {
		return "the end of the program"
	}
	return strconv.Quote(source.Short(t.text))
}

var keywords = []string{
	"param", "declare", "initially", "output", "process", "for", "in", "begin", "end", "while", "do", "if", "then", "else",
	"wait", "goto", "skip", "true", "false", "and", "or", "not",
}

// Keywords returns the keywords of the language in lower case.
func Keywords() []string { return slices.Clone(keywords) }

// signs maps spellings to the canonical ones. Longer signs come before their prefixes.
var signs = []source.Sign{
	{":=:", ":=:"}, {":=", ":="}, {"..", ".."}, {"==", "="}, {"/=", "/="}, {"!=", "/="}, {"≠", "/="}, {"<=", "<="}, {"≤", "<="},
	{">=", ">="}, {"≥", ">="}, {"||", "||"}, {"|", "|"}, {"∨", "or"}, {"&&", "and"}, {"&", "and"}, {"^", "and"}, {"∧", "and"},
	{"!", "not"}, {"~", "not"}, {"¬", "not"}, {"=", "="}, {"<", "<"}, {">", ">"}, {"+", "+"}, {"-", "-"}, {"*", "*"}, {"/", "/"},
	{"%", "%"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"}, {"{", "{"}, {"}", "}"}, {":", ":"}, {";", ";"}, {",", ","}, {".", "."},
}

var foreign = []source.ForeignOperator{{"#", "comments start with //"}}

// lex returns the tokens of a program. The last one marks the end.
func lex(file, src string) ([]token, error) {
	s := source.NewScanner(file, src)
	if err := s.CheckLength("program", ""); err != nil {
		return nil, err
	}
	var all []token
	for {
		t, err := nextToken(s)
		if err != nil {
			return nil, err
		}
		if all = append(all, t); t.kind == tokEOF {
			return all, nil
		}
	}
}

func nextToken(s *source.Scanner) (token, error) {
	s.SkipBlanks()
	t := token{pos: s.Pos()}
	if s.Rest() == "" {
		return t, nil
	}
	switch c := rune(s.Rest()[0]); {
	case isNameStart(c):
		t.kind, t.text = tokName, s.While(isNamePart)
		if k := keyword(t.text); k != "" {
			t.kind, t.text = tokKeyword, k
		}
		return t, nil
	case isDigit(c):
		t.kind, t.text = tokNumber, s.While(isNamePart)
		return t, nil
	}
	if sign, ok := s.Sign(signs); ok {
		t.kind, t.text = tokPunct, sign
		return t, nil
	}
	if err := s.Foreign(foreign); err != nil {
		return t, err
	}
	return t, s.Unknown()
}

func isDigit(c rune) bool     { return '0' <= c && c <= '9' }
func isNameStart(c rune) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isNamePart(c rune) bool  { return isNameStart(c) || isDigit(c) }

// keyword returns the keyword in lower case; "" if the text is no keyword. All letters have the
// same case.
func keyword(text string) string {
	for _, k := range keywords {
		if text == k || text == strings.ToUpper(k) {
			return k
		}
	}
	return ""
}
