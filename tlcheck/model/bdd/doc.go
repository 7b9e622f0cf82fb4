// Package bdd has boolean functions of many variables as reduced ordered binary decision diagrams (Bryant, "Graph-Based Algorithms for
// Boolean Function Manipulation"), which share their parts: equal functions have the same root.
//
//	table := bdd.New()
//	x, y := table.Variable(0), table.Variable(1)
//	fmt.Println(x.Or(y).Count([]int{0, 1})) // 3
//
// An edge may be complemented, so a function and its negation share everything (Brace, Rudell and Bryant, "Efficient Implementation of a BDD
// Package", from which the table of nodes and the cache of results are, too). The order of the variables is that of their numbers.
//
// A Function is a value of Go, and lives as long as the program can reach it. What only functions need that are gone is collected
// between operations, when there is more of it than of the rest. An operation can get large by itself: Within stops it.
package bdd
