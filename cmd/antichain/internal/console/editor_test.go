package console

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// typist presses keys, and sees nothing.
type typist struct{ keys []string }

func (p *typist) Read(b []byte) (int, error) {
	if len(p.keys) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.keys[0])
	if p.keys[0] = p.keys[0][n:]; p.keys[0] == "" {
		p.keys = p.keys[1:]
	}
	return n, nil
}

func (p *typist) Write(b []byte) (int, error) { return len(b), nil }

func TestEditor(t *testing.T) {
	words := []string{"slice", "stack", "set", "dir/"}
	complete := func(line string) []string {
		var fit []string
		for _, w := range words {
			if strings.HasPrefix(w, line[strings.LastIndexByte(line, ' ')+1:]) {
				fit = append(fit, w)
			}
		}
		return fit
	}
	const up, left = "\x1b[A", "\x1b[D"
	for name, tt := range map[string]struct {
		keys []string
		want string // lines, ^C, ^D
	}{
		"lines":                       {[]string{"one\rtwo\r"}, "one|two|^D"},
		"ctrl-D":                      {[]string{"\x04", "\x04", "one\r"}, "^D|^D|one|^D"},
		"history behind ctrl-D":       {[]string{"one\r\x04", up + "\r"}, "one|^D|one|^D"},
		"ctrl-D on a line":            {[]string{"ab\x04c\r"}, "abc|^D"},
		"ctrl-C clears the line":      {[]string{"end\x03slice\r"}, "^C|slice|^D"},
		"ctrl-C alone":                {[]string{"end", "\x03", "slice\r"}, "^C|slice|^D"},
		"ctrl-C in the middle":        {[]string{"end" + left + "\x03\r"}, "^C||^D"},
		"ctrl-C behind a line":        {[]string{"one\r\x03\x03two\r"}, "one|^C|^C|two|^D"},
		"history":                     {[]string{"one\rtwo\r" + up + up + "\r"}, "one|two|one|^D"},
		"history without empty lines": {[]string{"one\r\r" + up + "\r"}, "one||one|^D"},
		"history without repetitions": {[]string{"one\rtwo\rtwo\r" + up + up + "\r"}, "one|two|two|one|^D"},
		"completion":                  {[]string{"sl\t\r"}, "slice |^D"},
		"completion of a common part": {[]string{"s\t\r"}, "s|^D"},
		"completion of a directory":   {[]string{"x d\tfile\r"}, "x dir/file|^D"},
		"completion inside":           {[]string{"sl x" + left + left + "\t\r"}, "slice  x|^D"},
		"nothing to complete":         {[]string{"x\ty\r"}, "xy|^D"},
	} {
		t.Run(name, func(t *testing.T) {
			keys := &typist{tt.keys}
			e := newEditor(keys)
			var got []string
			for {
				line, err := e.ReadLine("> ", complete)
				if errors.Is(err, io.EOF) {
					got = append(got, "^D")
					if len(keys.keys) == 0 {
						break
					}
					continue
				}
				if errors.Is(err, ErrInterrupted) {
					line = "^C"
				} else if err != nil {
					t.Fatal(err)
				}
				got = append(got, line)
			}
			if text := strings.Join(got, "|"); text != tt.want {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
}

// Of very many candidates not all are listed, and none as the terminal would take it.
func TestListing(t *testing.T) {
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprint("main.", i)
	}
	if got := listing(many); !strings.HasSuffix(got, "  main.99  …") {
		t.Errorf("listed: %s", got)
	}
	if got, want := listing([]string{"a", "\x1b[2J"}), `a  \x1b[2J`; got != want {
		t.Errorf("listed: %q, want %q", got, want)
	}
}
