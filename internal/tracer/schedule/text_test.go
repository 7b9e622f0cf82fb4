package schedule

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const bank = `antichain schedule 1
# deadlock: main.1 and main.2 wait for each other's locks
keep by number patience 1s
goroutine main.1 by main at bank.go:40 in main.main: go transfer(a, b)
goroutine main.2 by main at bank.go:41 in main.main: go transfer(b, a)
main.1 lock at bank.go:21 in main.transfer: from.mu.Lock()
main.2 lock at bank.go:21 time 2 in main.transfer: from.mu.Lock()
main.1 waits at bank.go:23 in main.transfer: to.mu.Lock()
`

// A written schedule is read unchanged.
func TestText(t *testing.T) {
	s, err := Parse(strings.NewReader(bank))
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != bank {
		t.Errorf("%s", s)
	}
	if s.Steps[1].Nth != 2 || s.Steps[1].Function != "main.transfer" || s.Goroutines[1].Text != "go transfer(b, a)" {
		t.Errorf("%+v", s)
	}
}

func TestTextRandom(t *testing.T) {
	all := slices.Sorted(maps.Keys(words))
	text := rapid.StringMatching(`[a-z(){}:#" ]{0,12}`)
	line := func(t *rapid.T) Line {
		l := Line{At: rapid.StringMatching(`[a-z :"]{0,5}[a-z]\.go:[1-9][0-9]?`).Draw(t, "at"),
			Function: rapid.StringMatching(`(main\.[a-z]{1,4})?`).Draw(t, "function")}
		l.Text = strings.TrimSpace(text.Draw(t, "text"))
		l.At = strings.TrimSpace(l.At)
		if of := rapid.IntRange(1, 4).Draw(t, "of"); of > 1 {
			l.Alike = Alike{Nth: rapid.IntRange(1, of).Draw(t, "nth of them"), Of: of}
		}
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		s := &Schedule{Keep: Keep{Patience: time.Duration(rapid.IntRange(1, 1e9).Draw(t, "patience"))}}
		if rapid.Bool().Draw(t, "roles") {
			s.Keep.Roles, s.Keep.Quiet = true, time.Duration(rapid.IntRange(1, 1e9).Draw(t, "quiet"))
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "goroutines") {
			s.Goroutines = append(s.Goroutines,
				Goroutine{"main." + string(rune('1'+i)), "main", rapid.IntRange(1, 3).Draw(t, "nth"), line(t)})
		}
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"main", "main.1", "main.10.2"}).Draw(t, "goroutine")
			s.Steps = append(s.Steps, Step{
				Goroutine: name, Kind: words[rapid.SampledFrom(all).Draw(t, "kind")],
				Nth: rapid.IntRange(1, 3).Draw(t, "nth"), Object: rapid.IntRange(0, 3).Draw(t, "object"),
				Case: rapid.IntRange(0, 3).Draw(t, "case"), Halt: rapid.Bool().Draw(t, "halt"), Line: line(t),
			})
		}
		again, err := Parse(strings.NewReader(s.String()))
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("%v:\n%s\n%+v\n%+v", err, s, s, again)
		}
	})
}

// Mistakes are reported with their line.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		text string
		line int
		want string
	}{
		{"", 1, "begins with"},
		{"property p: true\n", 1, "this is no schedule"},
		{"antichain schedule 2\n", 1, "of another version"},
		{"antichain schedule 1\n", 1, "there is no step"},
		{"antichain schedule 1\nhalt\n", 2, "there is none before"},
		{"antichain schedule 1\nmain lock\n", 2, "behind the operation comes where it is"},
		{"antichain schedule 1\nmain.0 lock at a.go:1\n", 2, "is no goroutine"},
		{"antichain schedule 1\nworker lock at a.go:1\n", 2, "is no goroutine"},
		{"antichain schedule 1\nmain jump at a.go:1\n", 2, `"jump" is no operation`},
		{"antichain schedule 1\nmain lock at a.go\n", 2, "is no place"},
		{"antichain schedule 1\nmain lock at a.go:0\n", 2, "is no place"},
		{"antichain schedule 1\nmain lock at a.go:1 again\n", 2, "is no place"},
		{"antichain schedule 1\nmain lock at a.go:1 time none\n", 2, "it is a number from 1"},
		{"antichain schedule 1\nmain lock at a.go:1 object 0\n", 2, "it is a number from 1 to"},
		{"antichain schedule 1\nmain lock at a.go:1 time 2 object 65\n", 2, "it is a number from 1 to"},
		{"antichain schedule 1\nmain select at a.go:1 case 0\n", 2, "it is a number from 1 to"},
		{"antichain schedule 1\nmain lock at a.go:1 alike 3/2\n", 2, "the second of three lines"},
		{"antichain schedule 1\n\ngoroutine main.1 by main.2 at a.go:1\n", 3, "this should be, for example: goroutine"},
		{"antichain schedule 1\nkeep by number patience 1w\n", 2, "unknown unit"},
		{"antichain schedule 1\nkeep by number patience 300h\n", 2, "nor more than 1h"},
		{"antichain schedule 1\nkeep going\n", 2, "this should be, for example: keep"},
		{"\xff", 1, "no schedule"},
		{"antichain schedule 1\n" + strings.Repeat("# x\n", maxLines), maxLines + 1, "at most"},
		{strings.Repeat("x", maxText+1), 1, "at most"},
	} {
		_, err := Parse(strings.NewReader(tt.text))
		var at *Error
		if !errors.As(err, &at) || at.Line != tt.line || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: %v, want %q in line %d", tt.text, err, tt.want, tt.line)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(bank)
	f.Add("antichain schedule 1\nkeep by role quiet 1s\nmain lock at \"a b.go:3\" in f: x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := Parse(strings.NewReader(s.String()))
		if err != nil || again.String() != s.String() {
			t.Fatalf("%v:\n%s", err, s)
		}
	})
}
