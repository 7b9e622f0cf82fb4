package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/antichain-go/antichain/tracer/event"
)

// editor edits lines on a terminal in raw mode: cursor keys, history, completion of words.
type editor struct {
	lines *term.Terminal
	keys  *keys
}

func newEditor(rw io.ReadWriter) *editor {
	k := &keys{ReadWriter: rw}
	e := &editor{lines: term.NewTerminal(k, ""), keys: k}
	e.lines.History = &history{e.lines.History}
	return e
}

// resetAfterEOF starts again after ctrl-D, which the line editor leaves in its input.
func (e *editor) resetAfterEOF() {
	past := e.lines.History
	e.lines = term.NewTerminal(e.keys, "")
	e.lines.History = past
	fmt.Fprintln(e)
}

// Write prints text; \n ends a line.
func (e *editor) Write(b []byte) (int, error) { return e.lines.Write(b) }

// ReadLine reads a line. The tab key completes words.
func (e *editor) ReadLine(prompt string, complete func(string) []string) (string, error) {
	e.lines.SetPrompt(prompt)
	e.lines.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' || complete == nil {
			return "", 0, false
		}
		return e.completeLine(line, pos, complete)
	}
	line, err := e.lines.ReadLine()
	switch {
	case e.keys.interrupted:
		e.keys.interrupted = false
		return "", ErrInterrupted
	case errors.Is(err, io.EOF):
		e.resetAfterEOF()
	}
	return line, err
}

// completeLine extends the word before the cursor to the common prefix of all candidates. If that
// adds nothing, it lists them.
func (e *editor) completeLine(line string, pos int, complete func(string) []string) (string, int, bool) {
	start := strings.LastIndexByte(line[:pos], ' ') + 1
	candidates := complete(line[:pos])
	if len(candidates) == 0 {
		return line, pos, true
	}
	word := commonPrefix(candidates)
	if len(candidates) == 1 && !strings.HasSuffix(word, "/") {
		word += " "
	}
	if word == line[start:pos] {
		fmt.Fprintln(e, listing(candidates))
	}
	return line[:start] + word + line[pos:], start + len(word), true
}

// maxCandidates limits the listed candidates.
const maxCandidates = 100

func listing(candidates []string) string {
	text := event.Printable(strings.Join(candidates[:min(len(candidates), maxCandidates)], "  "))
	if len(candidates) > maxCandidates {
		text += "  …"
	}
	return text
}

func commonPrefix(words []string) string {
	prefix := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, prefix) {
			_, n := utf8.DecodeLastRuneInString(prefix)
			prefix = prefix[:len(prefix)-n]
		}
	}
	return prefix
}

// history omits empty lines and repetitions.
type history struct{ term.History }

func (h *history) Add(line string) {
	if strings.TrimSpace(line) != "" && (h.Len() == 0 || h.At(0) != line) {
		h.History.Add(line)
	}
}

// keys filters the pressed keys. The line editor would take ctrl-C for the end of the input. Here
// it clears the line and ends it.
type keys struct {
	io.ReadWriter
	interrupted bool   // the next line is to be discarded
	pressed     []byte // not yet processed
	ready       []byte // for the line editor
}

const ctrlC = 3

// clearLine moves to the end of the line, deletes everything before, and ends the line.
var clearLine = []byte("\x05\x15\r")

// Read never returns an interrupted line together with another one.
func (k *keys) Read(b []byte) (int, error) {
	if len(k.ready) == 0 {
		if err := k.look(); err != nil {
			return 0, err
		}
	}
	n := copy(b, k.ready)
	k.ready = k.ready[n:]
	return n, nil
}

func (k *keys) look() error {
	if len(k.pressed) == 0 {
		buf := make([]byte, 256)
		n, err := k.ReadWriter.Read(buf)
		if n == 0 {
			return err
		}
		k.pressed = buf[:n]
	}
	switch i := bytes.IndexByte(k.pressed, ctrlC); i {
	case -1:
		k.ready, k.pressed = k.pressed, nil
	case 0:
		k.ready, k.pressed, k.interrupted = clearLine, k.pressed[1:], true
	default:
		k.ready, k.pressed = k.pressed[:i], k.pressed[i:]
	}
	return nil
}
