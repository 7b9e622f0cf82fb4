// Package onthefly checks properties while the net grows (Frey and Schlingloff 1998).
//
//	run := onthefly.Check(ctx, specification.Properties, lsl.L3, events)
//	for violation := range run.Violations() { // while the run goes on
//		err = report.WriteText(os.Stdout, violation, report.Style{})
//	}
//	results, err := run.Wait()
//
// A check is a pipeline of goroutines:
//
//	events ──► net, version by version
//	             │ the truth of local formulas in new local states
//	             ▼
//	           leaf   leaf   leaf      one goroutine a node;
//	             ╲     ╱      │        a version of a node is what is new in it:
//	              and       until      open intervals, sets of slices with a TIVA
//	                ╲        ╱
//	                  root            an open interval with a slice in it is a violation
//
// Only properties whose negation is stable are accepted (tlcheck.Monitorable): what makes a slice a
// violation stays so however the run goes on. So nothing is ever taken back, and a node never
// computes again what it has passed on.
//
// The algorithm of Frey and Schlingloff 1998 passes on slices. An open interval here is an interval
// of the slice lattice (package slices) that is open above: it says which actions its slices lack,
// and some of these have not happened yet. So an open interval grows with the net by itself.
//
// State that no future slice can include is discarded, by the nodes (common_knowledge.go,
// conjunction_join.go) and by the net (forget.go). Of what some task has not heard of, only what
// can still matter is kept, if no formula looks at more than which actions precede others
// (san.Builder.Condense). So most formulas can be checked on an endless run in bounded memory:
// [MemoryOf] says which.
package onthefly
