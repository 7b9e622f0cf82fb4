// Package bom recognises the byte order marks that some editors and shells write at the beginning
// of a text.
package bom

import "strings"

// The error for a text in UTF-16, and its remedy.
const (
	ReasonUTF16 = "the text is in UTF-16, not in UTF-8"
	RemedyUTF16 = "convert it: iconv -f UTF-16 -t UTF-8"
)

// Length is the number of bytes that suffice to recognise a mark.
const Length = len(utf8)

const (
	utf8              = "\ufeff"
	utf16LittleEndian = "\xff\xfe"
	utf16BigEndian    = "\xfe\xff"
)

// Trim returns the text without a byte order mark of UTF-8.
func Trim[T ~string | ~[]byte](text T) T {
	if begins(text, utf8) {
		return text[len(utf8):]
	}
	return text
}

// IsUTF16 reports whether the text begins with a byte order mark of UTF-16. In UTF-8, none does.
func IsUTF16[T ~string | ~[]byte](text T) bool {
	return begins(text, utf16LittleEndian) || begins(text, utf16BigEndian)
}

func begins[T ~string | ~[]byte](text T, mark string) bool {
	return strings.HasPrefix(string(text[:min(len(text), len(mark))]), mark)
}
