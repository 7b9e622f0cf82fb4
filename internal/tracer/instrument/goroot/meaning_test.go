package goroot

import (
	"fmt"
	"go/token"
	"strings"
	"testing"
)

// otherMeanings are tokens that change what code says, by those that they stand for.
var otherMeanings = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS},
	token.GTR: {token.GEQ, token.LSS},
	token.GEQ: {token.GTR}, token.LAND: {token.LOR}, token.LOR: {token.LAND}, token.ADD: {token.SUB},
	token.SUB: {token.ADD},
	token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.QUO}, token.AND: {token.OR},
	token.OR:  {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.DEFINE: {token.ASSIGN},
	token.ASSIGN: {token.DEFINE, token.ADD_ASSIGN},
	token.INC:    {token.DEC}, token.DEC: {token.INC}, token.NOT: nil, token.RETURN: nil, token.DEFER: nil,
	token.GOTO: nil,
}

// otherTexts returns what could stand in place of a token that a patch looks at, and mean something
// else.
func otherTexts(l lexeme, isLocal bool) []string {
	switch {
	case l.tok == token.IDENT && isLocal:
		return nil
	case l.tok == token.IDENT:
		return []string{l.text + "Other"}
	case l.tok == token.INT:
		return []string{l.text + "1"}
	case l.tok == token.STRING:
		return []string{l.text[:len(l.text)-1] + "." + l.text[len(l.text)-1:]}
	case l.tok == token.NOT || l.tok == token.RETURN || l.tok == token.DEFER:
		return []string{""}
	}
	var texts []string
	for _, tok := range otherMeanings[l.tok] {
		texts = append(texts, tok.String())
	}
	return texts
}

// changedMeanings calls f for every change of a token or statement that a patch looks at in a
// declaration; src is that declaration alone.
func changedMeanings(src string, all []lexeme, d *diff, m *match, f func(what, changed string)) {
	at := map[int]int{} // token of the source -> token of the pattern
	for k, i := range m.at {
		if i >= 0 {
			at[i] = k
		}
	}
	with := func(what string, from, to int, text string) { f(what, src[:from]+text+src[to:]) }
	for i, k := range at {
		p := d.pattern[k]
		for _, text := range otherTexts(all[i], p.tok == token.IDENT && strings.HasPrefix(p.text, metaPrefix)) {
			with(fmt.Sprintf("%q in place of %q", text, all[i].text), all[i].from, all[i].to, text+" ")
		}
		if !all[i].begins || i == 0 || isClosing(all[i].tok) {
			continue
		}
		end := endOfDeclaration(all, i) // the end of the statement
		whole := true
		for j := i; j < end; j++ {
			_, matched := at[j]
			whole = whole && matched
		}
		if whole {
			_, to := all[end-1].outer()
			with(fmt.Sprintf("no %q", src[all[i].from:to]), all[i].from, to, "")
		}
	}
}

// Code that says something else is not patched.
func TestChangedMeaning(t *testing.T) {
	for name, root := range toolchains() {
		t.Run(name, func(t *testing.T) {
			l := readLibrary(t, root)
			minor := ReleaseOf(root).Minor
			g := l.generator(Options{})
			if err := g.generate(); err != nil {
				t.Fatal(err)
			}
			changes := 0
			for _, c := range capabilities {
				for i := range c.patches {
					if p := &c.patches[i]; p.diff != "" && isFor(minor, p.since, p.until) {
						changes += testMeaningOf(t, g, p)
					}
				}
			}
			t.Logf("%d changes", changes)
			if changes < 900 {
				t.Errorf("only %d changes", changes)
			}
		})
	}
}

func testMeaningOf(t *testing.T, g *generator, p *patch) (changes int) {
	file, _, err := g.locate(p)
	if err != nil {
		t.Fatal(err)
	}
	name, names := p.declaration()
	source := g.sources[file]
	within := declaration(source.all, name)[0]
	src := "\n" + source.text[source.all[within.from].from:source.all[within.to-1].to] + "\n"
	if strings.HasPrefix(name, "const ") && !strings.HasPrefix(src, "\nconst ") {
		t.Fatalf("%s is in a group", name)
	}
	all, err := scan(src)
	if err != nil {
		t.Fatal(err)
	}
	known, err := bindParameters(names, all, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := parseDiff(p.diff)
	if err != nil {
		t.Fatal(err)
	}
	found := d.find(all, span{0, len(all)}, known)
	if len(found) == 0 {
		t.Fatalf("patch %s does not fit its declaration alone", p.name)
	}
	for i := range found {
		changedMeanings(src, all, d, &found[i], func(what, changed string) {
			changes++
			lexemes, err := scan(changed)
			if err != nil {
				t.Errorf("patch %s, %s: %v", p.name, what, err)
				return
			}
			if edits, err := p.edits(changed, lexemes); err == nil {
				t.Errorf("patch %s of %s is applied to code with %s: %d edits", p.name, name, what, len(edits))
			}
		})
	}
	return changes
}
