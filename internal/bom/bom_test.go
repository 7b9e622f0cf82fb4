package bom_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/bom"
)

func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		text, trimmed string
		utf16         bool
	}{
		{"", "", false},
		{"a", "a", false},
		{"\ufeff", "", false},
		{"\ufeffa", "a", false},
		{"\ufeff\ufeffa", "\ufeffa", false},
		{"a\ufeff", "a\ufeff", false},
		{"\xef\xbb", "\xef\xbb", false},
		{"\xff", "\xff", false},
		{"\xff\xfea\x00", "\xff\xfea\x00", true},
		{"\xfe\xff\x00a", "\xfe\xff\x00a", true},
	} {
		if got := bom.Trim(tt.text); got != tt.trimmed {
			t.Errorf("%q: %q", tt.text, got)
		}
		if got := string(bom.Trim([]byte(tt.text))); got != tt.trimmed {
			t.Errorf("%q: %q", tt.text, got)
		}
		if bom.IsUTF16(tt.text) != tt.utf16 || bom.IsUTF16([]byte(tt.text)) != tt.utf16 {
			t.Errorf("%q: %v", tt.text, !tt.utf16)
		}
	}
}
