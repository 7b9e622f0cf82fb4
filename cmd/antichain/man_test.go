package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// manualDir returns a directory with what antichain man writes.
func manualDir(t *testing.T, s terminal.Streams) string {
	dir := t.TempDir()
	if code := mainerr([]string{"man", dir}, s); code != 0 {
		t.Fatalf("antichain man: exit code %d", code)
	}
	return dir
}

// The Homebrew cask installs all pages, and names each.
func TestCaskPages(t *testing.T) {
	release, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^ *- man/(man[17]/.*)\.gz$`).FindAllStringSubmatch(string(release), -1) {
		named = append(named, m[1])
	}
	dir := manualDir(t, terminal.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	pages, err := filepath.Glob(filepath.Join(dir, "man?", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		if pages[i], err = filepath.Rel(dir, pages[i]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(pages, named); diff != "" {
		t.Errorf("manpages in .goreleaser.yaml:\n%s", diff)
	}
}

// Every verb and topic that the help lists has a page.
func TestManualPages(t *testing.T) {
	s := terminal.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	dir := manualDir(t, s)
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
