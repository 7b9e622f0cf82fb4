package wording

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Plural is "1 event" or "2 events", and "2 processes".
func Plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		what += "e"
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// manyDigits is more digits than help a reader. JSON has all of them.
const manyDigits = 40

// Digits shows a number. It shows a very large one by its magnitude.
func Digits(n *big.Int) string {
	s := n.String()
	if len(s) <= manyDigits {
		return s
	}
	return fmt.Sprintf("about %s (%d digits)", new(big.Float).SetInt(n).Text('e', 2), len(s))
}
