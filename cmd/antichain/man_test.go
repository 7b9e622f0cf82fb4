package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

// Every verb and topic that the help lists has a page.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	s := terminal.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	if code := mainerr([]string{"man", dir}, s); code != 0 {
		t.Fatalf("antichain man: exit code %d", code)
	}
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			name := "man1/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
			switch {
			case c.IsAdditionalHelpTopicCommand():
				name = "man7/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".7"
			case !c.IsAvailableCommand():
				continue
			}
			page, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Error(err)
			} else if !strings.Contains(string(page), ".SH DESCRIPTION\n") || strings.Contains(string(page), "%!") {
				t.Errorf("%s:\n%s", name, page)
			}
			look(c)
		}
	}
	look(newRoot(s))
}
