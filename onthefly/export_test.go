package onthefly

// SetPatience sets how many events a checker keeps in any case.
func (c *Checker) SetPatience(events int) { c.patience = events }

// Patience returns it.
func (c *Checker) Patience() int { return c.patience }

// OpenIntervals returns how many open intervals all nodes keep.
func (c *Checker) OpenIntervals() int {
	n := 0
	for _, m := range c.memories {
		n += m.size()
	}
	return n
}
