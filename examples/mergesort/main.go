// Command mergesort is the parallel sorting program of Frey & Schlingloff (1998), section
// 4.7: one goroutine splits the input into even and odd numbers, two sort them, and when
// both have finished a fourth merges the results.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// split hands the even numbers of its input to one goroutine, the odd ones to another, and
// starts the goroutine that merges what they have sorted.
func split(input []int, sorted chan<- []int) {
	var even, odd []int
	for _, n := range input {
		if n%2 == 0 {
			even = append(even, n)
		} else {
			odd = append(odd, n)
		}
	}
	var sorts sync.WaitGroup
	sorts.Go(func() { sort(even, true) })
	sorts.Go(func() { sort(odd, false) })
	go func() {
		sorts.Wait()
		sorted <- merge(even, odd)
	}()
}

// sort sorts its input in place; is_e says that these are the even numbers.
func sort(input []int, is_e bool) {
	slices.Sort(input)
}

// merge returns the numbers of two sorted lists in order.
func merge(a, b []int) []int {
	merged := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

func main() {
	sorted := make(chan []int)
	go split([]int{5, 2, 8, 1, 9, 4, 7, 6}, sorted)
	fmt.Println(<-sorted)
}
