package control

// DialogueName is the name of the socket on which the checker of a halted program waits for a person, in the
// directory that has SocketName too.
const DialogueName = "dialogue"

// What a visitor brings is said in one byte: a terminal, or a script and where its output goes.
const (
	bringsTerminal = 't'
	bringsScript   = 's'
)
