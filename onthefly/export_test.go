package onthefly

// SetPatience sets how many events a checker keeps in any case.
func (c *Checker) SetPatience(events int) { c.patience = events }

// Patience returns it.
func (c *Checker) Patience() int { return c.patience }

// Pieces returns how many pieces all nodes keep.
func (c *Checker) Pieces() int {
	n := 0
	for _, m := range c.memories {
		n += m.size()
	}
	return n
}
