package lsp

import (
	"errors"
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// diagnostics returns the mistakes in a document, and its unknown names.
func (s *Server) diagnostics(d *document) []Diagnostic {
	all := []Diagnostic{}
	if d.isProgram() {
		file, err := gcl.Parse(d.name(), d.text)
		if err == nil {
			_, err = gcl.New(file, nil)
		}
		if err != nil {
			all = append(all, d.mistake(err))
		}
		return all
	}
	file, mistakes := spec.ParseAll(d.name(), d.text)
	for _, m := range mistakes {
		all = append(all, d.mistake(m))
	}
	if p := s.packages.packageOf(d); p != nil {
		all = append(all, p.unknownNames(d, file)...)
	}
	return all
}

// mistake converts an error of a parser. Its range is the word that begins at its position.
func (d *document) mistake(err error) Diagnostic {
	var at *source.Error
	if !errors.As(err, &at) {
		return Diagnostic{Range{}, severityError, "antichain", err.Error()}
	}
	text := at.Brief()
	for _, c := range at.Candidates {
		text += "\ncandidate: " + c
	}
	return Diagnostic{d.wordAt(spec.Pos{Line: at.Line, Col: at.Col}), severityError, "antichain", text}
}

// wordAt returns the range of the word that begins at a position.
func (d *document) wordAt(pos spec.Pos) Range {
	from := d.offsetOf(pos)
	return d.span(from, from+len(wordHere.FindString(d.text[from:])))
}

// wordHere is a name, a string, or one character.
var wordHere = regexp.MustCompile(`^(?:[\pL\pN_.']+(?:"[^"\n]*"?)?|"[^"\n]*"?|[^\r\n])?`)

// hover explains a word of the language, or a name of the program.
func (s *Server) hover(d *document, at int) *Hover {
	w, ok := wordAt(d, at)
	if !ok {
		return nil
	}
	text := ""
	if w.isKeyword {
		text = s.words[w.name]
	} else if p := s.packages.packageOf(d); p != nil && w.namesGo() {
		for _, o := range p.objects(d, w) {
			text += "\n\n" + o.text
		}
	}
	if text == "" {
		return nil
	}
	return &Hover{*markdown(strings.TrimSpace(text)), d.span(w.from, w.to)}
}

// namesGo reports whether the word is a name of the program, not one of the specification.
func (w *word) namesGo() bool { return w.at == local || w.at == functions || w.at == shared }

// definition returns the declarations of a name of the program.
func (s *Server) definition(d *document, at int) []Location {
	w, ok := wordAt(d, at)
	p := s.packages.packageOf(d)
	if !ok || w.isKeyword || p == nil || !w.namesGo() {
		return nil
	}
	var all []Location
	for _, o := range p.objects(d, w) {
		if l, ok := p.location(o.pos, o.name); ok {
			all = append(all, l)
		}
	}
	return all
}

// formatting returns the edit that applies the layout of antichain fmt. A specification with
// mistakes has none, since they are already shown.
func formatting(d *document) []TextEdit {
	text, err := spec.FormatSource(d.name(), d.text)
	if err != nil {
		return nil
	}
	if text == d.text && !d.marked {
		return []TextEdit{}
	}
	return []TextEdit{{d.all(), text}}
}

// symbols returns the properties of a specification.
func symbols(d *document) []DocumentSymbol {
	all := []DocumentSymbol{}
	file, _ := spec.ParseAll(d.name(), d.text)
	for _, p := range file.Properties {
		from, to := p.Extent()
		name := d.offsetOf(p.Pos)
		symbol := DocumentSymbol{Name: p.Name, Kind: propertySymbol, Range: d.span(from, to),
			SelectionRange: d.span(name, name+len(p.Name))}
		if p.Initially {
			symbol.Detail = "initially"
		}
		all = append(all, symbol)
	}
	return all
}
