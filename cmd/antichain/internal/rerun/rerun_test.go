package rerun

import (
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
)

// What is copied to a shell is taken apart as it was.
func TestVerb(t *testing.T) {
	args := instrument.Args{Own: []string{"-e", "t:(not in.f)"}, Go: []string{"-race=true"}, Rest: []string{"-x", ""}}
	const want = "antichain test -e 't:(not in.f)' -race=true -- -x ''"
	if got := Verb("test", args); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Quote([]string{"it's"}); got != `'it'\''s'` {
		t.Error(got)
	}
}

// Flags come before those that a command has.
func TestWith(t *testing.T) {
	for again, want := range map[string]string{
		"antichain run ./p arg":             "antichain run --seed 7 ./p arg",
		"antichain test --all ./p --seed 4": "antichain test --seed 7 --all ./p --seed 4",
	} {
		if got := With(again, "--seed", "7"); got != want {
			t.Errorf("%s: %s, want %s", again, got, want)
		}
	}
	if got, want := With("antichain test ./p", "-run", "^TestA$"), "antichain test -run '^TestA$' ./p"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestReplay(t *testing.T) {
	for again, want := range map[string]string{
		"antichain run --json ./p a": "antichain run --replay '/a b.schedule' --json ./p a",
		"antichain test ./...":       "antichain test --replay '/a b.schedule' ./...",
		"":                           "antichain replay '/a b.schedule' PACKAGE",
	} {
		if got := Replay(again, "/a b.schedule"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAttach(t *testing.T) {
	s := specfile.Specification{Source: specfile.Source{Files: []string{"/a/b.tl"}}}
	for logic, want := range map[string]string{
		"l3":     "antichain attach --spec /a/b.tl 7",
		"frey96": "antichain attach --spec /a/b.tl --logic frey96 7",
	} {
		if got := Attach(s, logic, 7); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
