package rule

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
