package symbolic

import (
	"cmp"
	"slices"
)

// rounds is the number of rounds. In the paper it grows with the logarithm of the number of fields.
const rounds = 50

// order returns an order of fields that puts the fields of an action close to each other, which
// keeps diagrams small. It is the heuristic of Aloul, Markov and Sakallah, "FORCE: A Fast and
// Easy-To-Implement Variable-Ordering Heuristic", 2003: each action has a centre of gravity, and
// each field moves to the mean of the centres of its actions. The best order of all rounds is
// returned.
func order(fields int, actions [][]int) []int {
	at := make([]int, fields) // position of each field
	for f := range at {
		at[f] = f
	}
	best, least := slices.Clone(at), span(at, actions)
	for range rounds {
		at = improvedOrder(at, actions)
		if s := span(at, actions); s < least {
			best, least = slices.Clone(at), s
		}
	}
	return byPlace(best)
}

// span returns the sum over all actions of the distance between their first and last field.
func span(at []int, actions [][]int) int {
	sum := 0
	for _, fields := range actions {
		first, last := at[fields[0]], at[fields[0]]
		for _, f := range fields {
			first, last = min(first, at[f]), max(last, at[f])
		}
		sum += last - first
	}
	return sum
}

// improvedOrder returns the positions after one round.
func improvedOrder(at []int, actions [][]int) []int {
	sum, count := make([]float64, len(at)), make([]float64, len(at))
	for _, fields := range actions {
		centre := 0.0
		for _, f := range fields {
			centre += float64(at[f])
		}
		centre /= float64(len(fields))
		for _, f := range fields {
			sum[f] += centre
			count[f]++
		}
	}
	for f := range sum {
		if count[f] == 0 {
			sum[f], count[f] = float64(at[f]), 1
		}
	}
	fields := byPlace(at)
	slices.SortStableFunc(fields, func(f, g int) int { return cmp.Compare(sum[f]/count[f], sum[g]/count[g]) })
	next := make([]int, len(at))
	for place, f := range fields {
		next[f] = place
	}
	return next
}

// byPlace sorts the fields by position.
func byPlace(at []int) []int {
	fields := make([]int, len(at))
	for f, place := range at {
		fields[place] = f
	}
	return fields
}
