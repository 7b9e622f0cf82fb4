package lsp

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/gosource"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// unfinished matches an incomplete dotted name at the end of a text. Its last part may be empty.
var unfinished = regexp.MustCompile(`(?:[\pL_][\pL\pN_]*\.)*(?:[\pL_][\pL\pN_]*'*)?$`)

// completer collects candidates.
type completer struct {
	s     *Server
	d     *document
	pkg   *goPackage
	items []CompletionItem
	seen  map[string]bool
	edit  Range // the range that a candidate replaces
}

// completion returns the candidates at a position. The client selects the ones that match the word
// there.
func (s *Server) completion(d *document, at int) []CompletionItem {
	c := &completer{s: s, d: d, items: []CompletionItem{}, seen: map[string]bool{}}
	before := d.text[:at]
	if inText(before[strings.LastIndexByte(before, '\n')+1:]) {
		return c.items
	}
	name := unfinished.FindString(before[strings.LastIndexAny(before, "\r\n")+1:])
	// the field of an expression that is not a name
	if strings.HasSuffix(before[:at-len(name)], ".") {
		return c.items
	}
	var scan scanner
	for _, t := range spec.Tokens(before[:at-len(name)]) {
		scan.next(t)
	}
	c.pkg = s.packages.packageOf(d)
	first, rest, dotted := strings.Cut(name, ".")
	c.replace(at-len(name), at)
	switch {
	case scan.at == local && dotted && slices.Contains(phases, first):
		c.replace(at-len(rest), at)
		c.functions()
	case dotted && (scan.at == local || scan.at == shared):
		path := strings.Split(name, ".")
		c.replace(at-len(path[len(path)-1]), at)
		c.fields(path[:len(path)-1])
	case scan.at == functions:
		c.functions()
		c.words(beginnings...)
	case dotted:
	case scan.at == local:
		c.variables(false)
		c.words(slices.Concat(phases, connectives, constants, builtins)...)
	case scan.at == shared:
		c.variables(true)
		c.words(beginnings...)
	case scan.at == head:
		c.words("initially")
	case scan.at == condition:
		c.tivs(scan.tivs)
		c.words("caller", "and")
		c.words(beginnings...)
	case scan.at == formula:
		c.tivs(scan.tivs)
		c.words(slices.Concat(temporal, connectives, []string{"if"}, beginnings)...)
	default:
		c.words(beginnings...)
	}
	return c.items
}

// inText reports whether the end of a line is within a comment or a string.
func inText(line string) bool {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(line[i:], "//"):
			return true
		}
	}
	return quoted
}

func (c *completer) replace(from, to int) { c.edit = c.d.span(from, to) }

func (c *completer) add(item CompletionItem) {
	if c.seen[item.Label] {
		return
	}
	c.seen[item.Label] = true
	item.TextEdit = TextEdit{c.edit, item.Label}
	c.items = append(c.items, item)
}

func (c *completer) words(words ...string) {
	for _, w := range words {
		item := CompletionItem{Label: w, Kind: keywordItem}
		if text := c.s.words[w]; text != "" {
			item.Documentation = markdown(text)
		}
		c.add(item)
	}
}

func (c *completer) tivs(names []string) {
	for _, name := range names {
		c.add(CompletionItem{Label: name, Kind: variableItem, Detail: "task variable"})
	}
}

func (c *completer) functions() {
	if c.pkg == nil {
		return
	}
	for _, f := range c.pkg.Functions() {
		if f.Locked != "" {
			continue
		}
		detail := c.pkg.Place(f.Node.Pos())
		if len(c.pkg.Started[gosource.PosOf(f)]) > 0 {
			detail = "goroutine, " + detail
		}
		c.add(CompletionItem{Label: f.Name, Kind: functionItem, Detail: detail,
			Documentation: markdown(c.pkg.aboutFunction(f))})
	}
}

// variables adds the variables of the package and, unless toShare is set, constants and the
// variables of functions.
func (c *completer) variables(toShare bool) {
	if c.pkg == nil {
		return
	}
	for _, v := range c.pkg.Variables() {
		kind := variableItem
		if _, constant := v.Object.(*types.Const); constant {
			kind = constantItem
		}
		if !toShare || v.In == "" && kind == variableItem {
			c.variable(v, kind)
		}
	}
}

func (c *completer) variable(v rewrite.Variable, kind completionKind) {
	detail := c.pkg.Place(v.Pos())
	if v.In != "" {
		detail = v.In + ", " + detail
	}
	c.add(CompletionItem{Label: v.Name(), Kind: kind, Detail: detail, Documentation: markdown(c.pkg.aboutVariable(v))})
}

// fields adds the fields of a dotted name.
func (c *completer) fields(path []string) {
	if c.pkg == nil {
		return
	}
	for _, v := range c.pkg.variablesNamed(c.d, path) {
		for _, f := range c.pkg.Fields(v.Type()) {
			c.variable(rewrite.Variable{Object: f, In: v.In}, fieldItem)
		}
	}
}
