package debug

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestRunScript has commands in a file: a mistake has its place there.
func TestRunScript(t *testing.T) {
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte("show\n\nfly\nshow\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, stderr strings.Builder
	err := RunScript(file, &out, &stderr, func(c console.Console) error {
		return Run(t.Context(), subject(t, fork), c, report.Style{})
	})
	if err == nil || !strings.HasPrefix(err.Error(), file+":3: ") || stderr.Len() > 0 {
		t.Errorf("%v, said %q", err, stderr.String())
	}
	if strings.Count(out.String(), "(antichain) show") != 1 {
		t.Errorf("%s", out.String())
	}
	if err := RunScript(file+"s", &out, &stderr, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestInScript distinguishes mistakes, unfinished searches and other errors.
func TestInScript(t *testing.T) {
	var stderr strings.Builder
	disk := errors.New("the disk is full")
	if err := InScript("s", &stderr, disk); err != disk || stderr.Len() > 0 {
		t.Errorf("%v, said %q", err, stderr.String())
	}
	late := &console.ScriptError{Line: 7, Err: &timeError{}}
	if err := InScript("s", &stderr, late); err != exit.Code(exit.Unknown) ||
		!strings.HasPrefix(stderr.String(), "antichain: s:7: ") {
		t.Errorf("%v, said %q", err, stderr.String())
	}
}
