package spec

import (
	"errors"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxErrors is how many mistakes ParseAll finds before it gives up.
const MaxErrors = 100

// ParseAll reads a .tl file as Parse does, but goes on with the next declaration after a mistake. It returns the
// declarations without mistakes, and all mistakes in the order of the text.
func ParseAll(filename, src string) (*File, []*Error) {
	f := &File{Name: filename, text: src}
	p := &parser{lex: newLexer(filename, src)}
	var mistakes []*Error
	failed := func(err error) bool {
		var mistake *Error
		if errors.As(err, &mistake) {
			mistakes = append(mistakes, mistake)
		}
		return err != nil
	}
	if failed(p.checkLength()) {
		return f, mistakes
	}
	if failed(source.Catch(p.advance)) {
		p.skip()
	}
	for p.tok.kind != tokEOF && len(mistakes) < MaxErrors {
		start := p.tok.off
		if !failed(source.Catch(func() { p.declaration(f) })) {
			continue
		}
		p.depth = 0
		if p.tok.off == start || p.tok.kind != tokEOF && !p.begins() {
			p.skip()
		}
	}
	if len(mistakes) == 0 {
		failed(source.Catch(func() { p.notEmpty(f) }))
	}
	return f, mistakes
}

// skip moves to where the next declaration seems to begin. What is no token is passed over, too.
func (p *parser) skip() {
	for {
		if p.tok = p.lex.nextAny(); p.tok.kind == tokEOF || p.begins() {
			return
		}
	}
}

// begins reports whether tok seems to begin a declaration. Only "property" has no other meaning, so the other words
// must stand first on their lines.
func (p *parser) begins() bool {
	if p.tok.is("property") {
		return true
	}
	before := strings.TrimRight(p.lex.Between(0, p.tok.off), " \t\r")
	return slices.ContainsFunc(beginnings, p.tok.is) && (before == "" || before[len(before)-1] == '\n')
}
