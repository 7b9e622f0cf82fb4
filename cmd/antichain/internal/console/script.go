package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/antichain-go/antichain/internal/bom"
)

// Script is a console that reads its lines from a text. It writes each line after its prompt, so
// the output reads like a dialogue. It skips empty lines and comments, which begin with #.
type Script struct {
	io.Writer
	lines *bufio.Scanner
	line  int
}

// maxLine limits the bytes of a line.
const maxLine = 1 << 20

// NewScript returns a console that reads r and writes w.
func NewScript(r io.Reader, w io.Writer) *Script {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	return &Script{Writer: w, lines: lines}
}

// Line returns the number of the last line, from 1.
func (s *Script) Line() int { return s.line }

// ReadLine implements Console. After a read error it returns no more lines.
func (s *Script) ReadLine(prompt string, _ func(string) []string) (string, error) {
	for s.lines.Scan() {
		s.line++
		line := s.lines.Text()
		if s.line == 1 {
			if bom.IsUTF16(line) {
				return "", fmt.Errorf("%s (%s)", bom.ReasonUTF16, bom.RemedyUTF16)
			}
			line = bom.Trim(line)
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		_, err := fmt.Fprintln(s, prompt+line)
		return line, err
	}
	err := s.lines.Err()
	if err == nil {
		return "", io.EOF
	}
	s.line++
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("the line is longer than %d bytes", maxLine)
	}
	return "", err
}

// Run implements Console.
func (s *Script) Run(*exec.Cmd) error {
	return errors.New("a script cannot start programs on a terminal")
}
