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

// First is Some of at most so many words. It rather has one more word than to say "1 more".
func First(words []string, most int) string {
	shown := words
	if len(words) > most+1 {
		shown = words[:most]
	}
	return Some(shown, len(words)-len(shown))
}

// Some is List of words, and of how many there are beside them: "a, b and 3 more".
func Some(words []string, more int) string {
	if more > 0 {
		words = append(slices.Clip(words), fmt.Sprintf("%d more", more))
	}
	return List(words)
}
