// Package san builds state action nets: the partially ordered model of one run of a parallel
// program (Frey 1996, §3; Frey and Schlingloff 1998, §2.1).
//
//	b, err := san.NewBuilder(header)
//	err = b.AddFrom(&e, events) // for each event
//	net, err := b.Finish()
//	fmt.Println(net.Precedes(san.Action{Task: 0, K: 1}, san.Action{Task: 1, K: 3}))
//
// A run has tasks. Task t has local states (t,0), (t,1), …; its k-th event is the action that leads
// from (t,k-1) to (t,k). A task is present from the start or is created by one spawn event of
// another task. A joint action is one action with an event in each of several tasks. A cause is an
// extra dependency between actions.
//
//	main  (0)──1:spawn p──(1)──2:send──(2)────────────(3)      ─ program order
//	               ╲              ╲                  ╱         ╲ spawn, cause
//	p              (0)────────1:recv──(1)──2═════════3:═        ═ joint action
//
// A [Builder] reads events in any order that it can buffer, and checks them. The [Net] that it
// returns answers which actions precede others, with vector clocks that share their unchanged
// parts. A [Walker] replays the local states of a task; the net never stores one. A Net is
// immutable and safe for concurrent use; a Walker is not.
//
// The papers: M. Frey, "Debugging parallel programs using temporal logic specifications" (1996),
// and M. Frey and B.-H. Schlingloff, "On-the-fly model checking of program runs for automated
// debugging" (1998).
package san
