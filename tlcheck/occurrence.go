package tlcheck

// Occurrence says which of several runs of a program show a finding or violation. The result it
// belongs to tells it as the first of those runs does that know it best: it happened there, if it
// happened in any.
type Occurrence struct {
	Runs     int    // of the program
	Showing  int    // of these, that show it
	Observed int    // of these, in which it happened
	Seed     uint64 // of the steered schedule of the run that the result is of, 0 if it was not steered
	Yields   uint64 // which decides where goroutines let others go first in that run, 0 if nothing does
	Run      string // what that run is called in reports; "" if it has no name
	Again    string // the command that repeats it, for reports; "" if there is none
}
