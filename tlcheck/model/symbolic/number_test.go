package symbolic

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/bdd"
)

// TestNumbers compares operations on numbers that depend on four variables each with those on
// integers.
func TestNumbers(t *testing.T) {
	const bits = 4
	rapid.Check(t, func(t *rapid.T) {
		table := bdd.New()
		low := [2]int64{rapid.Int64Range(-20, 5).Draw(t, "low x"), rapid.Int64Range(-20, 5).Draw(t, "low y")}
		var n [2]number
		for i := range n {
			for k := range bits {
				n[i] = append(n[i], table.Variable(i*bits+k))
			}
			n[i] = append(n[i], table.Constant(false)).plus(constant(table, low[i]), table.Constant(false))
		}
		x, y := n[0], n[1]
		by := rapid.Int64Range(1, 40).Draw(t, "divisor")
		quotient, remainder := x.divide(table, by)
		sum, difference, product := x.plus(y, table.Constant(false)), x.minus(table, y), x.times(table, y)
		less, equal := x.less(table, y), x.equal(table, y)
		for values := range int64(1 << (2 * bits)) {
			value := func(v int) bool { return values>>v&1 == 1 }
			x, y := low[0]+values%(1<<bits), low[1]+values>>bits
			for what, pair := range map[string][2]int64{
				"+": {sum.at(value), x + y}, "-": {difference.at(value), x - y}, "*": {product.at(value), x * y},
				"/": {quotient.at(value), (x - (x%by+by)%by) / by}, "%": {remainder.at(value), (x%by + by) % by},
			} {
				if pair[0] != pair[1] {
					t.Fatalf("%d %s %d is %d, want %d; the divisor is %d", x, what, y, pair[0], pair[1], by)
				}
			}
			if less.Holds(value) != (x < y) || equal.Holds(value) != (x == y) {
				t.Fatalf("%d < %d: %v; equal: %v", x, y, less.Holds(value), equal.Holds(value))
			}
		}
	})
}

// at returns what the number is for values of the variables.
func (n number) at(value func(int) bool) int64 {
	var is int64
	for i, bit := range n {
		if bit.Holds(value) {
			is |= 1 << i
		}
	}
	if n.sign().Holds(value) {
		is -= 1 << len(n)
	}
	return is
}
