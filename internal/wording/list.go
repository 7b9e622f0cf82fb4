package wording

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
