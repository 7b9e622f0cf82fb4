// Package terminal handles the standard streams: it detects terminals, chooses the style of
// reports, and shows the progress of long work.
package terminal

import (
	"io"
	"os"

	"github.com/antichain-go/antichain/tlcheck/report"
	"golang.org/x/term"
)

// Streams are the standard streams, replaced in tests.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// StyleOf returns how a report on w looks: coloured only on a terminal, and not even there
// if NO_COLOR is set (no-color.org) or the terminal is dumb.
func StyleOf(w io.Writer) report.Style {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return report.Style{}
	}
	style := report.Style{Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		style.Width = width
	}
	return style
}

// FileOf returns the file behind a stream. A program gets files only, which pass through
// untouched; nil stands for this process's own.
func FileOf(stream any) *os.File {
	f, _ := stream.(*os.File)
	return f
}

// WorkingDir returns the working directory; "" if it is unknown.
func WorkingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
