package lsp

import (
	"os"
	"testing"
	"unicode/utf16"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"pgregory.net/rapid"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// slowPosition counts from the beginning, as the protocol says it.
func slowPosition(text string, offset int) Position {
	var p Position
	runes := []rune(text[:offset])
	for i, r := range runes {
		switch {
		case r == '\n' && i > 0 && runes[i-1] == '\r':
		case r == '\n', r == '\r':
			p = Position{p.Line + 1, 0}
		default:
			p.Character += uint32(len(utf16.Encode([]rune{r})))
		}
	}
	return p
}

var texts = rapid.StringOfN(rapid.SampledFrom([]rune("ab(\n\r\n\réß→𝔭🙂 ")), 0, 60, -1)

func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
		d := newDocument(textDocument{}, mark+text)
		for offset, r := range text {
			if r == '\n' && offset > 0 && text[offset-1] == '\r' {
				continue // within the end of a line
			}
			want := slowPosition(text, offset)
			if mark != "" && want.Line == 0 {
				want.Character++
			}
			if got := d.position(offset); got != want {
				t.Fatalf("%d is at %v, want %v", offset, got, want)
			}
			if got := d.offset(want); got != offset {
				t.Fatalf("%v is at %d, want %d", want, got, offset)
			}
		}
		if d.position(len(text)+9) != d.position(len(text)) || d.offset(Position{1 << 31, 0}) != len(text) {
			t.Fatal("behind the end")
		}
	})
}

// A place that a parser has found is where the text says.
func TestOffsetOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		d := newDocument(textDocument{}, text)
		pos := spec.Pos{Line: 1, Col: 1}
		for offset, r := range text {
			if got := d.offsetOf(pos); got != offset {
				t.Fatalf("%v is at %d, want %d", pos, got, offset)
			}
			if pos.Col++; r == '\n' {
				pos = spec.Pos{Line: pos.Line + 1, Col: 1}
			}
		}
	})
}

func TestOffsetWithinCharacter(t *testing.T) {
	d := newDocument(textDocument{}, "a𝔭b\nc")
	for p, want := range map[Position]int{{0, 1}: 1, {0, 2}: 1, {0, 3}: 5, {0, 9}: 6, {1, 0}: 7, {1, 9}: 8} {
		if got := d.offset(p); got != want {
			t.Errorf("%v is at %d, want %d", p, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a%20b/c.tl": "/a b/c.tl", "untitled:x.tl": "", "http://x/y.tl": "", "file:x.tl": "", "%": "",
		"file:///a%00b": "",
	} {
		if got := pathOf(uri); got != want {
			t.Errorf("%s is %q, want %q", uri, got, want)
		}
	}
	if uri := uriOf("/a b/é.tl"); pathOf(uri) != "/a b/é.tl" {
		t.Error(uri)
	}
}

// Nothing that stands in a document, and no place in it, makes a request fail.
func FuzzDocument(f *testing.F) {
	f.Add("property p: t:(in.\"f\" and b.c[1] == 2) until u:(x) if t == caller(u)", uint32(0), uint32(20))
	f.Add("\ufeffshared a.b\r\nmust_finish \"x\n->", uint32(1), uint32(3))
	dir := f.TempDir()
	if err := os.WriteFile(dir+"/main.go", []byte(program), 0o600); err != nil {
		f.Fatal(err)
	}
	s := &Server{}
	f.Fuzz(func(t *testing.T, text string, line, character uint32) {
		d := newDocument(textDocument{URI: uriOf(dir + "/a.tl")}, text)
		at := d.offset(Position{line, character})
		s.diagnostics(d)
		s.completion(d, at)
		s.hover(d, at)
		s.definition(d, at)
		symbols(d)
		for _, edit := range formatting(d) {
			if edit.Range != d.all() {
				t.Errorf("%v", edit.Range)
			}
		}
	})
}
