package wording

import "strings"

// Beginning returns a text of at most so many bytes, and the beginning of a longer one.
func Beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
