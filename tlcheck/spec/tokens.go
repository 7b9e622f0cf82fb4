package spec

// Token is a word or a sign of a specification as written. A dotted name is one token.
type Token struct {
	Text   string
	Offset int // in bytes, after a byte order mark
	Name   bool
}

// End returns the byte offset after the token.
func (t Token) End() int { return t.Offset + len(t.Text) }

// Tokens splits a specification into tokens, for editors. It skips invalid text.
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
