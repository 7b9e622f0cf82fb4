package event

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestUncompressed: what was compressed is unfolded up to a limit, and errors say where they are.
func TestUncompressed(t *testing.T) {
	text := strings.Repeat("all work and no play\n", 100)
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed := b.String()
	for _, tt := range []struct {
		name, in string
		limit    int64
		wrong    string
	}{
		{"plain", text, 1, ""},
		{"packed", packed, int64(len(text)), ""},
		{"limit", packed, int64(len(text)) - 1, "name: the compressed trace unfolds to more than"},
		{"cut", packed[:len(packed)-9], 1 << 20, "name: truncated"},
		{"broken", packed[:12], 1 << 20, "name: truncated"},
		{"head", packed[:5], 1 << 20, "name: truncated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Uncompressed(strings.NewReader(tt.in), "name", tt.limit)
			var got []byte
			if err == nil {
				got, err = io.ReadAll(r)
			}
			if tt.wrong == "" {
				if err != nil || string(got) != text {
					t.Errorf("%d bytes, %v", len(got), err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.wrong) {
				t.Errorf("%v, not %s", err, tt.wrong)
			}
		})
	}
}
