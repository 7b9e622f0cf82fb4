package source_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/antichain-go/antichain/tlcheck/source"
	"pgregory.net/rapid"
)

func TestScanner(t *testing.T) {
	s := source.NewScanner("f", "\ufeff name // é\n <= \"a\\n\" é&&")
	s.SkipBlanks()
	if got := s.While(unicode.IsLetter); got != "name" || s.Between(1, s.Offset()) != "name" {
		t.Error(got)
	}
	s.SkipBlanks()
	if got := s.Pos(); got != (source.Pos{Line: 2, Col: 2}) {
		t.Error(got)
	}
	if got, ok := s.Sign([]source.Sign{{"<=", "≤"}, {"<", "<"}}); !ok || got != "≤" ||
		!strings.HasPrefix(s.Rest(), ` "a`) {
		t.Error(got, ok, s.Rest())
	}
	s.SkipBlanks()
	if got, ok := s.Quoted(); got != "a\n" || !ok {
		t.Error(got, ok)
	}
	s.SkipBlanks()
	foreign := []source.ForeignOperator{{"&&", "write and"}}
	if err := s.Foreign(foreign); err != nil {
		t.Error(err)
	}
	if got, want := s.Unknown().Error(), "f:2:11: character 'é' is not part of the language\n"; !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	s.Advance(len("é"))
	if got, want := s.Foreign(foreign).Error(), "f:2:12: \"&&\" is not part of the language (write and)\n"; !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}

func TestScannerMistakes(t *testing.T) {
	for _, text := range []string{`"a`, "`a`", "'a'", "", `"\q"`, "\"\n\""} {
		s := source.NewScanner("f", text)
		if _, ok := s.Quoted(); ok || s.Offset() != 0 {
			t.Errorf("%q is a string in quotes", text)
		}
	}
	if got := source.NewScanner("f", "\xff").Unknown().Brief(); got != "this byte is not UTF-8" {
		t.Error(got)
	}
	for _, text := range []string{"\xff\xfea\x00", "\xfe\xff\x00a"} {
		if got := source.NewScanner("f", text).Unknown().Error(); !strings.HasPrefix(got,
			"f:1:1: the text is in UTF-16, not in UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)") {
			t.Error(got)
		}
	}
	for n, ok := range map[int]bool{source.MaxLength: true, source.MaxLength + 1: false} {
		err := source.NewScanner("f", strings.Repeat("a", n)).CheckLength("text", "")
		if ok != (err == nil) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestScannerPos compares places with the lines and characters before them.
func TestScannerPos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[aé\n ]{0,30}`).Draw(t, "text")
		s := source.NewScanner("f", text)
		for s.Rest() != "" {
			first := []rune(s.Rest())[:rapid.IntRange(1, len([]rune(s.Rest()))).Draw(t, "characters")]
			s.Advance(len(string(first)))
		}
		lines := strings.Split(text, "\n")
		want := source.Pos{Line: len(lines), Col: len([]rune(lines[len(lines)-1])) + 1}
		if s.Pos() != want {
			t.Errorf("%v, not %v", s.Pos(), want)
		}
	})
}

func TestCatch(t *testing.T) {
	want := errors.New("wrong")
	if got := source.Catch(func() { source.Abort(want) }); got != want {
		t.Error(got)
	}
	if got := source.Catch(func() {}); got != nil {
		t.Error(got)
	}
	defer func() {
		if r := recover(); r != "a bug" {
			t.Error("another panic is caught")
		}
	}()
	_ = source.Catch(func() { panic("a bug") })
}
