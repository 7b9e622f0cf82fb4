package runs

// Live returns a run that goes on, nil if there is none with that id.
func (rs *Runs) Live(id string) *Run { return rs.live[id] }
