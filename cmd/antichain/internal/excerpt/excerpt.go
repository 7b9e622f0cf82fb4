// Package excerpt keeps the beginning and the end of a text that may be long.
package excerpt

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/antichain-go/antichain/internal/wording"
)

// Writer keeps at most Most bytes of what is written: the first and the last ones. Several
// goroutines may use it at once.
type Writer struct {
	Most int

	mu         sync.Mutex
	head, tail []byte
	size       int
}

func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	w.size += n
	first := min(n, w.Most/2-len(w.head))
	w.head = append(w.head, p[:first]...)
	w.tail = append(w.tail, p[first:]...)
	if extra := len(w.tail) - w.Most/2; extra > 0 {
		w.tail = append(w.tail[:0], w.tail[extra:]...)
	}
	return n, nil
}

// Missing returns how many bytes are not kept.
func (w *Writer) Missing() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size - len(w.head) - len(w.tail)
}

// String returns what is kept, and between it how much is missing.
func (w *Writer) String() string {
	between := ""
	if n := w.Missing(); n > 0 {
		between = fmt.Sprintf("\n… %s left out …\n", wording.Plural(n, "byte"))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(string(w.head)+between+string(w.tail), "�")
}

// LastLine returns the last line that is not empty.
func (w *Writer) LastLine() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := bytes.TrimSpace(append(bytes.Clone(w.head), w.tail...))
	return strings.ToValidUTF8(string(text[bytes.LastIndexByte(text, '\n')+1:]), "�")
}
