package builtin

// Behind is what the program's source says of a case of a select statement that a task could have taken: whether the task
// then comes back to the channel of the case that it took; or if it is the same case, whether all that the task does behind it is to come
// back to the statement.
type Behind uint8

// What the source says.
const (
	Unread    Behind = iota // nothing that is certain
	ComesBack               // it may come back, or the program ends: nobody waits for it for ever
	Leaves                  // it does not
)

// ReadSource says what the source has behind the cases of which findings would assume something. Without it, or where that is
// not certain, such findings are only possible.
func (c *Checker) ReadSource(source func(*Guess) Behind) {
	for _, d := range c.detectors {
		if s, ok := d.(*stuckDetector); ok {
			s.reads = source
		}
	}
}

// behindCase returns what the source says.
func (d *stuckDetector) behindCase(g *Guess) Behind {
	if d.reads == nil {
		return Unread
	}
	return d.reads(g)
}
