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
//	             ╲     ╱      │        a version of a node has its new results:
//	              and       until      open intervals, sets of slices with a TIVA
//	                ╲        ╱
//	                  root            an open interval with a slice in it is a violation
//
// Only properties whose negation is stable are accepted (tlcheck.Monitorable): a slice that is a
// violation remains one however the run continues (Frey and Schlingloff 1998, §3). So no result is
// ever taken back, and a node never computes a result twice.
//
// The algorithm of Frey and Schlingloff 1998 passes slices from node to node. Here nodes pass open
// intervals. An open interval is an interval of the slice lattice (package slices) that is open
// above: it names actions that its slices lack, and some of these have not happened yet. So an open
// interval grows with the net.
//
// State that no future slice can include is discarded, by the nodes (common_knowledge.go,
// conjunction_join.go) and by the net (forget.go). If formulas ask only which actions precede
// others, events that some task does not know are reduced to those that can still matter
// (san.Builder.Condense). So most formulas can be checked on an endless run in bounded memory:
// [MemoryOf] says which.
package onthefly
