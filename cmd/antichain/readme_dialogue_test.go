package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/google/go-cmp/cmp"
)

// dialogues are those of the README with antichain debug.
var dialogues = regexp.MustCompile("(?s)<!-- dialogue: ([a-z/.]+) -->\n```\n(.*?)```\n<!-- /dialogue -->")

// promptText stands in front of what is typed.
const promptText = "(antichain) "

// TestReadmeDialogues types what the README's dialogues have behind their prompts, and compares the answers.
// UPDATE_README=1 go test ./cmd/antichain refreshes them.
func TestReadmeDialogues(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	found := dialogues.FindAllSubmatch(text, -1)
	if len(found) == 0 {
		t.Fatalf("%s has no dialogue", readme)
	}
	updated := string(text)
	for _, m := range found {
		program, want := string(m[1]), string(m[2])
		var typed strings.Builder
		for line := range strings.Lines(want) {
			if command, ok := strings.CutPrefix(line, promptText); ok {
				typed.WriteString(command)
			}
		}
		var out strings.Builder
		if code := mainerr([]string{"debug", "../../" + program}, terminal.Streams{In: strings.NewReader(typed.String()), Out: &out, Err: os.Stderr}); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		_, got, _ := strings.Cut(out.String(), promptText) // behind the greeting
		got = promptText + got
		if os.Getenv("UPDATE_README") != "" {
			updated = strings.Replace(updated, want, got, 1)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("README.md shows another dialogue (-README +now):\n%s", d)
		}
	}
	if updated != string(text) {
		if err := os.WriteFile(readme, []byte(updated), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
