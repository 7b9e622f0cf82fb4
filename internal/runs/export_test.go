package runs

import "github.com/antichain-go/antichain/onthefly"

// Live returns a run that goes on, nil if there is none with that id.
func (rs *Runs) Live(id string) *Run { return rs.live[id] }

// Checker returns the checker of the run, nil if it has not begun.
func (r *Run) Checker() *onthefly.Checker { return r.checker }
