package wording

// maxExpression is how many bytes of an expression suffice to find it.
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
