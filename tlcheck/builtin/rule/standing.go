package rule

// Standing is how the tasks of a run stand while it goes on.
type Standing struct {
	// of tasks that wait for ever: whatever the others do, or unless they do what Guess rules out
	ForEver []Finding
	Main    bool // the main task does, which a finding need not show if it waits for a test
	GoesOn  bool // some task does not wait for ever

	// Waits returns the waits of all tasks. It is called before the next operation of the run.
	Waits func() []Wait
}

// Wait is a wait of a task that has begun and not ended.
type Wait struct {
	Party
	ForEver bool     // nothing ends it, whatever others do
	Comes   bool     // a timer or something outside the program ends it, or what it is for is there
	Why     []string // what is known of those that could end it
}
