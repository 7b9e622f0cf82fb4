package goroot

import (
	"cmp"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// metaForm is a name of a diff.
var metaForm = regexp.MustCompile(metaPrefix + `[A-Za-z0-9_]+`)

// edit replaces src[from:to].
type edit struct {
	from, to int
	text     string
	weak     bool // without effect where another edit removes code
}

// applyEdits makes all changes. Insertions at one place come in their order, before a removal
// there.
func applyEdits(src string, edits []edit) (string, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(min(a.to-a.from, 1), min(b.to-b.from, 1)),
			cmp.Compare(b.to, a.to))
	})
	var b strings.Builder
	at := 0
	for i, e := range edits {
		switch {
		case e.from >= at:
			b.WriteString(src[at:e.from])
			b.WriteString(e.text)
			at = e.to
		case e.weak || i > 0 && e == edits[i-1]:
		default:
			return "", fmt.Errorf("two patches change %q", src[e.from:max(e.to, at)])
		}
	}
	b.WriteString(src[at:])
	return b.String(), nil
}

type importSpec struct {
	name, path string
	from, to   int
}

// withImports adds imports to a changed file, and removes the imports that it no longer uses.
func withImports(src string, wanted []string) (string, error) {
	all, err := scanAll(src)
	if err != nil {
		return "", err
	}
	specs, at := importsOf(all)
	var changes []edit
	have := map[string]bool{}
	for _, s := range specs {
		have[s.path] = true
		if s.name != "_" && s.name != "." && !uses(all, s.name) {
			changes = append(changes, edit{from: s.from, to: afterSemicolon(src, s.to)})
		}
	}
	for _, path := range wanted {
		if name := path[strings.LastIndexByte(path, '/')+1:]; !have[path] && uses(all, name) {
			have[path] = true
			changes = append(changes, edit{from: at, to: at, text: "\n\nimport " + strconv.Quote(path)})
		}
	}
	return applyEdits(src, changes)
}

// uses reports whether a package is used by this name.
func uses(all []lexeme, name string) bool {
	for i := range all {
		if all[i].tok == token.IDENT && all[i].text == name && i+1 < len(all) && all[i+1].tok == token.PERIOD &&
			(i == 0 || all[i-1].tok != token.PERIOD) {
			return true
		}
	}
	return false
}

// importsOf returns the imports of a file, and the end of its package clause.
func importsOf(all []lexeme) (specs []importSpec, at int) {
	add := func(i int) int {
		s := importSpec{from: all[i].from}
		if i+1 < len(all) && (all[i].tok == token.IDENT || all[i].tok == token.PERIOD) {
			s.name = all[i].text
			i++
		}
		s.path, _ = strconv.Unquote(all[i].text)
		s.to = all[i].to
		if s.name == "" {
			s.name = s.path[strings.LastIndexByte(s.path, '/')+1:]
		}
		specs = append(specs, s)
		return i + 1
	}
	for i := 0; i+1 < len(all); {
		switch {
		case all[i].tok == token.SEMICOLON:
			i++
		case all[i].tok == token.PACKAGE:
			at = all[i+1].to
			i += 2
		case all[i].tok == token.IMPORT && all[i+1].tok == token.LPAREN:
			for i += 2; i+1 < len(all) && all[i].tok != token.RPAREN; {
				if all[i].tok == token.SEMICOLON {
					i++
				} else {
					i = add(i)
				}
			}
			i++
		case all[i].tok == token.IMPORT:
			from := all[i].from
			i = add(i + 1)
			specs[len(specs)-1].from = from
		default:
			return specs, at
		}
	}
	return specs, at
}
