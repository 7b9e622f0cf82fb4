package lsp

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// document is a text that the client has open.
type document struct {
	uri     string
	version *int32
	path    string // "" if it is no file
	text    string // without a byte order mark
	marked  bool   // with one, which is the first character of a client
	lines   []int  // where lines begin, in bytes
	feeds   []int  // where they begin for parsers, which know line feeds only
}

func newDocument(of textDocument, text string) *document {
	d := &document{uri: of.URI, version: of.Version, path: pathOf(of.URI), text: bom.Trim(text)}
	d.marked = d.text != text
	d.lines = linesOf(d.text)
	for _, begin := range d.lines {
		if begin == 0 || d.text[begin-1] == '\n' {
			d.feeds = append(d.feeds, begin)
		}
	}
	return d
}

// linesOf returns where the lines of a text begin. For the protocol a carriage return ends one, too.
func linesOf(text string) []int {
	lines := []int{0}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// isProgram reports whether the document is a finite-state program, and no specification.
func (d *document) isProgram() bool { return strings.HasSuffix(d.uri, ".gcl") }

// name is what the document is called in messages.
func (d *document) name() string {
	if d.path == "" {
		return d.uri
	}
	return filepath.Base(d.path)
}

var driveLetter = regexp.MustCompile(`^/[A-Za-z]:`)

// pathOf returns the path of a file, "" for what is none.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return ""
	}
	path := u.Path
	if driveLetter.MatchString(path) {
		path = path[1:]
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// uriOf is the inverse of pathOf.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// position returns the place of an offset in bytes.
func (d *document) position(offset int) Position {
	return d.at(positionIn(d.text, d.lines, offset))
}

// at counts a byte order mark, as the client does.
func (d *document) at(p Position) Position {
	if d.marked && p.Line == 0 {
		p.Character++
	}
	return p
}

// positionIn returns the place of an offset in a text whose lines begin there.
func positionIn(text string, lines []int, offset int) Position {
	offset = min(max(offset, 0), len(text))
	line := len(lines) - 1
	for low := 0; low < line; {
		if middle := (low + line + 1) / 2; lines[middle] <= offset {
			low = middle
		} else {
			line = middle - 1
		}
	}
	units := 0
	for _, r := range text[lines[line]:offset] {
		units += max(utf16.RuneLen(r), 1)
	}
	return Position{uint32(line), uint32(units)}
}

// offset returns the offset of a place in bytes. What lies behind the end of a line, or of the text, is its end; what
// lies within a character is its beginning.
func (d *document) offset(p Position) int {
	if int64(p.Line) >= int64(len(d.lines)) {
		return len(d.text)
	}
	begin, end := d.lines[p.Line], len(d.text)
	if next := int(p.Line) + 1; next < len(d.lines) {
		end = d.lines[next]
	}
	line := strings.TrimRight(d.text[begin:end], "\r\n")
	units := int64(p.Character)
	if d.marked && p.Line == 0 {
		units--
	}
	for i, r := range line {
		if units -= int64(max(utf16.RuneLen(r), 1)); units < 0 {
			return begin + i
		}
	}
	return begin + len(line)
}

// offsetOf returns the offset of a place that a parser has found.
func (d *document) offsetOf(pos spec.Pos) int {
	if pos.Line > len(d.feeds) {
		return len(d.text)
	}
	begin := d.feeds[max(pos.Line, 1)-1]
	for column := 1; column < pos.Col && begin < len(d.text); column++ {
		_, size := utf8.DecodeRuneInString(d.text[begin:])
		begin += size
	}
	return begin
}

// span returns the part between two offsets.
func (d *document) span(from, to int) Range { return Range{d.position(from), d.position(to)} }

// all is the range of the whole document, with a byte order mark.
func (d *document) all() Range { return Range{End: d.position(len(d.text))} }
