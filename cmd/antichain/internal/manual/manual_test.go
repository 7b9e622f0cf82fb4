package manual_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/manual"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func command() *cobra.Command {
	root := &cobra.Command{Use: "tool", Short: "a tool"}
	verb := &cobra.Command{
		Use:   "do [--it] FILE",
		Short: "do it",
		Long: `do reads *.tl and under_scores, a\b
.begins with a dot, 'and a quote.

A HEADING: so(…)

    indented   -x
      deeper

    further

Exit codes: 0 done, 2 not.`,
		Run: func(*cobra.Command, []string) {},
	}
	verb.Flags().BoolP("it", "i", false, "that")
	verb.Flags().String("from", "here", "begin in this `PLACE`")
	verb.Flags().Bool("secret", false, "")
	_ = verb.Flags().MarkHidden("secret")
	root.AddCommand(
		verb,
		&cobra.Command{Use: "hidden", Hidden: true, Run: verb.Run},
		&cobra.Command{Use: "topic", Short: "what it is about", Long: "ONE WORD\n\nIt is about this."},
	)
	return root
}

func TestPage(t *testing.T) {
	verb, _, err := command().Find([]string{"do"})
	if err != nil {
		t.Fatal(err)
	}
	got := manual.Page(verb, manual.Source{Version: "tool v1", Date: time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)})
	want := `.TH "TOOL\-DO" 1 "2026\-01\-02" "tool v1"
.nh
.ad l
.SH NAME
tool\-do \- do it
.SH SYNOPSIS
\fBtool do\fR [\-\-it] FILE [flags]
.SH DESCRIPTION
do reads *.tl and under_scores, a\eb
\&.begins with a dot, \(aqand a quote.
.SS A HEADING: so(…)
.PP
.RS 4
.nf
indented   \-x
\&  deeper
.sp
further
.fi
.RE
.SH OPTIONS
.TP
\fB\-\-from\fR \fIPLACE\fR
begin in this PLACE (default \(dqhere\(dq)
.TP
\fB\-h\fR, \fB\-\-help\fR
help for do
.TP
\fB\-i\fR, \fB\-\-it\fR
that
.SH EXIT STATUS
0 done, 2 not.
.SH SEE ALSO
\fBtool\fR(1)
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("page, want and got:\n%s", diff)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := manual.Write(command(), dir, manual.Source{}); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(os.DirFS(dir), "man1/tool.1", "man1/tool-do.1", "man7/tool-topic.7",
		"completions/tool.bash", "completions/_tool", "completions/tool.fish", "completions/tool.ps1"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "man1", "tool-hidden.1")); err == nil {
		t.Error("a hidden command has a page")
	}

	// The same again is the same.
	again := t.TempDir()
	if err := manual.Write(command(), again, manual.Source{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files(t, dir), files(t, again)); diff != "" {
		t.Errorf("written twice, once and again:\n%s", diff)
	}
}

// files returns the content of every file below dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		all[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
