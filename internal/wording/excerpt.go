package wording

// maxExpression is a number of bytes that suffices to find an expression.
const maxExpression = 80

// Excerpt returns the beginning of a long expression, and a short one as it is.
func Excerpt(expr string) string {
	for i := range expr {
		if i >= maxExpression {
			return expr[:i] + "…"
		}
	}
	return expr
}
