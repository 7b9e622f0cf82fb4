package poset

import "math/big"

// Tasks play roles independently of each other, except that each role has one task. Assignments are
// therefore summed in the algebra over sets in which the product of two sets is their union if they
// are disjoint, and 0 otherwise (subset convolution; Björklund, Husfeldt, Kaski and Koivisto,
// "Fourier Meets Möbius: Fast Subset Convolution", 2007). A sum has, for each set of roles, the
// number of ways in which some tasks play these. Sums of unrelated tasks multiply as numbers of
// ideals do, and the result is the count of the set of all roles in the sum of all tasks. Without
// roles a sum is a number.

// sum has the count of each set of roles.
type sum []*big.Int

// newSum returns the zero sum.
func newSum(counts int) sum {
	s := make(sum, counts)
	for i := range s {
		s[i] = new(big.Int)
	}
	return s
}

func (s sum) add(t sum) {
	for i, n := range t {
		s[i].Add(s[i], n)
	}
}

func (s sum) subtract(t sum) {
	for i, n := range t {
		s[i].Sub(s[i], n)
	}
}

// multiply makes s the product of two others.
func (s sum) multiply(a, b sum) {
	var n big.Int
	for all := range s {
		s[all].SetInt64(0)
		for part := all; ; part = (part - 1) & all {
			if a[part].Sign() != 0 && b[all^part].Sign() != 0 {
				s[all].Add(s[all], n.Mul(a[part], b[all^part]))
			}
			if part == 0 {
				break
			}
		}
	}
}

// oneSum returns the neutral element of the product.
func oneSum(counts int) sum {
	s := newSum(counts)
	s[0].SetInt64(1)
	return s
}

// productTree is a product whose factors change one at a time.
type productTree struct {
	factors int
	nodes   []sum // 1 is the root; the children of node i are 2·i and 2·i+1
}

// newProductTree returns the product of the sums, each with this many counts.
func newProductTree(counts int, factors []sum) *productTree {
	t := &productTree{len(factors), make([]sum, len(factors), 2*len(factors))}
	t.nodes = append(t.nodes, factors...)
	if len(factors) == 0 {
		t.nodes = []sum{nil, oneSum(counts)}
	}
	for i := t.factors - 1; i > 0; i-- {
		t.nodes[i] = newSum(counts)
		t.nodes[i].multiply(t.nodes[2*i], t.nodes[2*i+1])
	}
	return t
}

// total returns the product. It is valid until a factor changes.
func (t *productTree) total() sum { return t.nodes[1] }

// set replaces a factor.
func (t *productTree) set(factor int, s sum) {
	i := t.factors + factor
	for t.nodes[i] = s; i > 1; {
		i /= 2
		t.nodes[i].multiply(t.nodes[2*i], t.nodes[2*i+1])
	}
}
