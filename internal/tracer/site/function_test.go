package site

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNameMeans(t *testing.T) {
	for _, tt := range []struct {
		name, function string
		want           bool
	}{
		{"save", "main.save", true},
		{"save", "main.(*journal).save", true},
		{"save", "main.unsave", false},
		{"", "main.save", false},
		{"main.save", "main.save", true},
		{`main.(*journal).flush`, "main.(*journal).flush", true},
		{"journal.flush", "main.(*journal).flush", true},
		{"(*journal[int]).flush", "main.(*journal[...]).flush-fm", true},
		{"work", "main.work[go.shape.int]", true},
		{"main.work.func1", "main.work[...].func1", true},
		{"database/sql.(*DB).connectionOpener", "sql.(*DB).connectionOpener", true},
		{"database/sql.(*DB).connectionOpener", "database/sql.(*DB).connectionOpener", true},
		{"other/sql.(*DB).connectionOpener", "database/sql.(*DB).connectionOpener", false},
		{"lumberjack.v2.(*Logger).millRun", "gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun", true},
		{"lumberjack%2ev2.(*Logger).millRun", "lumberjack.v2.(*Logger).millRun", true},
	} {
		if got := NameMeans(PlainFunction(tt.name), PlainFunction(tt.function)); got != tt.want {
			t.Errorf("%s means %s: %v", tt.name, tt.function, got)
		}
	}
}

// UnescapePath undoes the compiler's escapes, whatever the path is; other texts do not fail.
func TestUnescapePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.String().Draw(t, "path")
		if got := UnescapePath(escaped(path)); got != path {
			t.Errorf("%q becomes %q", path, got)
		}
		UnescapePath(path)
	})
	for text, want := range map[string]string{"100%": "100%", "%2": "%2", "a%zzb%2ec": "a%zzb.c", "%%2e": "%."} {
		if got := UnescapePath(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// escaped is what cmd/internal/objabi makes of a path.
func escaped(path string) string {
	var b strings.Builder
	slash := strings.LastIndexByte(path, '/')
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func TestNamesMean(t *testing.T) {
	const function = "example.com/x/bank.(*Account).flush"
	for name, want := range map[string]bool{
		function: true, "bank.(*Account).flush": true, "(*Account).flush": true, "flush": true,
		"lush": false, "ank.(*Account).flush": false, "bank.flush": false,
	} {
		if got := NamesMean([]string{"other", name}, function); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
