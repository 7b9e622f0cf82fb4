// Package bdd represents boolean functions of many variables as binary decision diagrams, and
// computes with them.
//
// The diagrams are reduced and ordered (Bryant, "Graph-Based Algorithms for Boolean Function
// Manipulation", 1986, §3). They share their parts, so equal functions have the same root.
//
//	table := bdd.New()
//	x, y := table.Variable(0), table.Variable(1)
//	fmt.Println(x.Or(y).Count([]int{0, 1})) // 3
//
// An edge may be complemented, so a function and its negation share all nodes. This, the table of
// nodes and the cache of results follow Brace, Rudell and Bryant, "Efficient Implementation of a
// BDD Package", 1990. The order of the variables is that of their numbers.
//
// A Function lives as long as the program can reach it. Nodes that only unreachable functions use
// are collected between operations, when they outnumber the others. A single operation can need
// much memory: Within stops it.
package bdd
