package terminal

import (
	"bytes"
	"io"
	"sync"
)

// Screen is a terminal on which other processes show lines that they overwrite, and text.
type Screen struct {
	To io.Writer

	mu    sync.Mutex
	shown bool // a line is there, and the cursor at its end
}

// Write passes on what a process shows.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = !bytes.HasSuffix(b, []byte("\n")) && !bytes.HasSuffix(b, []byte(clearLine))
	return s.To.Write(b)
}

// Beside returns a writer to the same terminal. A line that is shown there is taken away before
// anything is written.
func (s *Screen) Beside(w io.Writer) io.Writer { return beside{s, w} }

type beside struct {
	screen *Screen
	to     io.Writer
}

func (b beside) Write(text []byte) (int, error) {
	b.screen.mu.Lock()
	defer b.screen.mu.Unlock()
	if b.screen.shown {
		b.screen.shown = false
		if _, err := io.WriteString(b.screen.To, clearLine); err != nil {
			return 0, err
		}
	}
	return b.to.Write(text)
}
