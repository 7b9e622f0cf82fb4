package spec

// Token is a word or a sign of a specification as it is written. A dotted name is one token.
type Token struct {
	Text   string
	Offset int // in bytes; a byte order mark does not count
	Name   bool
}

// End returns where the token ends, in bytes.
func (t Token) End() int { return t.Offset + len(t.Text) }

// Tokens cuts a specification into tokens, for editors. What is none is left out.
func Tokens(src string) []Token {
	lex := newLexer("", src)
	var all []Token
	for {
		t := lex.nextAny()
		if t.kind == tokEOF {
			return all
		}
		all = append(all, Token{t.text, t.off, t.kind == tokName})
	}
}
