package onthefly

// SetPatience sets how many events a checker keeps in any case.
func (c *Checker) SetPatience(events int) { c.patience = events }
