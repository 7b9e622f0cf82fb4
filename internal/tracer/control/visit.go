package control

// DialogueName is the name of the socket on which the checker of a halted program waits for a
// person. It lies beside SocketName.
const DialogueName = "dialogue"

// The first byte of a visit says what the visitor brings: a terminal, or a script and a file for
// its output.
const (
	bringsTerminal = 't'
	bringsScript   = 's'
)
