package wording

// maxExpression is how many bytes of an expression help to find it.
const maxExpression = 80

// Excerpt returns the beginning of an expression that is long, else all of it.
func Excerpt(expr string) string {
	for i := range expr {
		if i >= maxExpression {
			return expr[:i] + "…"
		}
	}
	return expr
}
