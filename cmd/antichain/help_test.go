package main

import (
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

// TestHelpExamples fails for verbs whose help begins with no example, and for examples of what does
// not exist.
func TestHelpExamples(t *testing.T) {
	root := newRoot(terminal.Streams{})
	paths := map[string]bool{}
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		paths[cmd.CommandPath()] = true
		if cmd.Runnable() && cmd.IsAvailableCommand() && cmd.Name() != "completion" && !cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("the help of %s has no example of it", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			if _, unknown := unknownName(root, strings.TrimSuffix(line, "\n")); unknown != "" {
				t.Errorf("%s: %s: no %s", cmd.CommandPath(), line, unknown)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(root)
	texts, err := os.ReadDir("internal/help/text")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		path := "antichain " + strings.ReplaceAll(strings.TrimSuffix(text.Name(), ".txt"), "_", " ")
		if path != "antichain antichain" && !paths[path] {
			t.Errorf("%s is of no verb", text.Name())
		}
	}
}
