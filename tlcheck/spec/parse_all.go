package spec

import (
	"errors"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxErrors limits the errors of ParseAll.
const MaxErrors = 100

// ParseAll reads a .tl file as Parse does, but continues with the next declaration after an error.
// It returns the valid declarations, and all errors in the order of the text.
func ParseAll(filename, src string) (*File, []*Error) {
	f := &File{Name: filename, text: src}
	p := &parser{lex: newLexer(filename, src)}
	var mistakes []*Error
	failed := func(err error) bool {
		if mistake, ok := errors.AsType[*Error](err); ok {
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

// skip moves to the probable start of the next declaration. It skips invalid text, too.
func (p *parser) skip() {
	for {
		if p.tok = p.lex.nextAny(); p.tok.kind == tokEOF || p.begins() {
			return
		}
	}
}

// begins reports whether tok probably begins a declaration. "property" always does; the other words
// may also be names, so they must be first on their lines.
func (p *parser) begins() bool {
	if p.tok.is("property") {
		return true
	}
	before := strings.TrimRight(p.lex.Between(0, p.tok.off), " \t\r")
	return slices.ContainsFunc(beginnings, p.tok.is) && (before == "" || before[len(before)-1] == '\n')
}
