package wording

import (
	"fmt"
	"slices"
)

// List joins words: "a, b and c".
func List(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += w
	}
	return text
}

// Some is List of words, and of how many there are beside them: "a, b and 3 more".
func Some(words []string, more int) string {
	if more > 0 {
		words = append(slices.Clip(words), fmt.Sprintf("%d more", more))
	}
	return List(words)
}
