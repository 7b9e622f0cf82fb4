package rule

// Open are the waits at the end of a run that others may still end, so no violations.
type Open struct {
	Waits []OpenWait `json:"waits"`
	GoOn  []string   `json:"go_on"` // tasks that go on by themselves, and may end them
	// what reports call those
	GoOnNames []string `json:"go_on_names,omitempty"`
	// how many of the waits may be without end for all that is known, and why
	Undecided int    `json:"undecided,omitempty"`
	Why       string `json:"why,omitempty"`
}

// OpenWait is one of them.
type OpenWait struct {
	Task string `json:"task"`
	Name string `json:"name,omitempty"` // what reports call it
	Does string `json:"does"`
	At   string `json:"at,omitempty"`
}
