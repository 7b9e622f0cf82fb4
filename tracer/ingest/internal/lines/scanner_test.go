package lines_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tracer/ingest/internal/lines"
)

var errDisk = errors.New("the disk is gone")

func TestScanner(t *testing.T) {
	broken := iotest.ErrReader(errDisk)
	for _, tt := range []struct {
		name, text string
		in         io.Reader // behind the text
		want       []string
		err        string
	}{
		{"empty", "", nil, nil, ""},
		{"lines", "a\nb\n", nil, []string{"1 a", "2 b"}, ""},
		{"blanks", "\n  a \r\n\t\n\nb", nil, []string{"2 a", "5 b"}, ""},
		{"byte order mark", "\ufeffa\nb", nil, []string{"1 a", "2 b"}, ""},
		{"UTF-16", "\xff\xfea\x00\n\x00b\x00", nil, nil,
			"log:1: the text is in UTF-16, not in UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)"},
		{"mark of a second log", "\ufeffa\n\ufeffb", nil, []string{"1 a"},
			"log:2: a byte order mark, as at the beginning of a log (check logs that were joined one by one, or " +
				"remove it)"},
		{"only a byte order mark", "\ufeff", nil, nil, ""},
		{"as many bytes as there may be", strings.Repeat("a\n", 10), nil, repeated(10), ""},
		{"one more", strings.Repeat("a\n", 10) + "b", nil, repeated(10),
			"log:11: a log of more than 20 bytes (split it)"},
		{"more in a line", strings.Repeat("a\n", 9) + "bcdef", nil, repeated(9),
			"log:10: a log of more than 20 bytes (split it)"},
		{"long", "a\n" + strings.Repeat("x", 12), nil, []string{"1 a"},
			"log:2: a line of more than 11 bytes (shorten it)"},
		{"error in a line", "a\nb", broken, []string{"1 a"}, "log: reading: the disk is gone"},
		{"error behind a line", "a\nb\n", broken, []string{"1 a", "2 b"}, "log: reading: the disk is gone"},
		{"error at once", "", broken, nil, "log: reading: the disk is gone"},
	} {
		for _, one := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, one), func(t *testing.T) {
				in := io.Reader(strings.NewReader(tt.text))
				if tt.in != nil {
					in = io.MultiReader(in, tt.in)
				}
				if one {
					in = iotest.OneByteReader(in)
				} else {
					in = iotest.DataErrReader(in)
				}
				s := lines.NewScanner(in, "log",
					lines.Limits{Size: 20, SizeRemedy: "split it", Line: 11, LineRemedy: "shorten it"})
				var got []string
				for s.Scan() {
					got = append(got, fmt.Sprintf("%d %s", s.Number(), s.Line()))
				}
				err := ""
				if s.Err() != nil {
					err = s.Err().Error()
				}
				if d := cmp.Diff(tt.want, got); d != "" || err != tt.err {
					t.Errorf("%s, error %q, want %q", d, err, tt.err)
				}
				if tt.in != nil && !errors.Is(s.Err(), errDisk) {
					t.Errorf("%v hides its cause", s.Err())
				}
			})
		}
	}
}

// repeated returns n lines "a" with their numbers.
func repeated(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(i+1, " a"))
	}
	return all
}
