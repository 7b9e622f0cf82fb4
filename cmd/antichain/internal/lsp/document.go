package lsp

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
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
	path    string // "" if the text is no file
	text    string // without a byte order mark
	marked  bool   // with a byte order mark, which is a character for the client
	lines   []int  // byte offsets of the lines
	feeds   []int  // byte offsets of the lines for parsers, which only know line feeds
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

// linesOf returns the byte offsets of the lines of a text. In the protocol a carriage return ends a
// line, too.
func linesOf(text string) []int {
	lines := []int{0}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// isProgram reports whether the document is a finite-state program instead of a specification.
func (d *document) isProgram() bool { return strings.HasSuffix(d.uri, ".gcl") }

// name returns the name of the document in messages.
func (d *document) name() string {
	if d.path == "" {
		return d.uri
	}
	return filepath.Base(d.path)
}

var driveLetter = regexp.MustCompile(`^/[A-Za-z]:`)

// pathOf returns the path of a file; "" for other resources.
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

// position returns the position of a byte offset.
func (d *document) position(offset int) Position {
	return d.withMark(positionIn(d.text, d.lines, offset))
}

// withMark shifts a position behind a byte order mark, which the client counts.
func (d *document) withMark(p Position) Position {
	if d.marked && p.Line == 0 {
		p.Character++
	}
	return p
}

// positionIn returns the position of an offset in a text with the given lines.
func positionIn(text string, lines []int, offset int) Position {
	offset = min(max(offset, 0), len(text))
	line, begins := slices.BinarySearch(lines, offset)
	if !begins {
		line--
	}
	units := 0
	for _, r := range text[lines[line]:offset] {
		units += max(utf16.RuneLen(r), 1)
	}
	return Position{uint32(line), uint32(units)}
}

// offset returns the byte offset of a position. A position behind the end of a line, or of the
// text, is its end; one within a character is its beginning.
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

// offsetOf returns the offset of a parser's position.
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

// span returns the range between two offsets.
func (d *document) span(from, to int) Range { return Range{d.position(from), d.position(to)} }

// all returns the range of the whole document, including a byte order mark.
func (d *document) all() Range { return Range{End: d.position(len(d.text))} }
