package view

// Document is what a page shows.
type Document struct {
	Title    string     `json:"title"`
	Runs     []*Run     `json:"runs,omitempty"`
	Findings []*Finding `json:"findings,omitempty"`
	Notes    []string   `json:"notes,omitempty"` // what was not looked at, and so on; each a sentence
}

// Finding is a verdict on a property, with all that the page shows of its evidence. All texts are printable.
type Finding struct {
	Property string `json:"property"`          // what it is called
	Builtin  bool   `json:"builtin,omitempty"` // not of a specification
	Formula  string `json:"formula,omitempty"` // as its author wrote it
	Verdict  string `json:"verdict"`           // "holds", "violated", "unknown" or "possible"
	How      string `json:"how,omitempty"`     // "observed", "predicted", …; of one with evidence

	// Group is what the finding is of, where a document has several: a run, a test. Who makes the document may set it.
	Group string `json:"group,omitempty"`

	Message string   `json:"message,omitempty"` // what is wrong, in a sentence
	Covered string   `json:"covered,omitempty"` // what is certain although not everything is
	Vacuous string   `json:"vacuous,omitempty"` // why a property that holds could not be violated
	Caveat  string   `json:"caveat,omitempty"`  // what the verdict rests on
	Notes   []string `json:"notes,omitempty"`   // what else helps
	Report  string   `json:"report"`            // the report as text

	Order *Order  `json:"order,omitempty"` // nil if there is no evidence
	Parts []*Part `json:"parts,omitempty"` // the formula and its parts, each in front of its own parts
	Files []*File `json:"files,omitempty"` // what the order passes through of the program's source
}

// Order is an order of events that leads to a global state. State 0 is the one before all steps, state i the one behind step i-1.
type Order struct {
	Lead    string   `json:"lead"`           // how it is known
	Word    string   `json:"word,omitempty"` // what the tasks are; "" if they are goroutines
	Columns []Column `json:"columns"`
	Steps   []Step   `json:"steps"`
	State   int      `json:"state"`             // the global state of the finding; those behind it are later ones that the formula is about
	Skipped int      `json:"skipped,omitempty"` // steps in front of these, or between them, that are left out
	Lost    int64    `json:"lost,omitempty"`    // events in front of these, which nobody knows any more
}

// Column is a goroutine.
type Column struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind,omitempty"`   // goroutines of a kind run the same function
	Origin   string   `json:"origin,omitempty"` // what it runs, and who started it where
	Roles    []string `json:"roles,omitempty"`  // task variables that it stands for
	Aside    bool     `json:"aside,omitempty"`  // it has no part in the finding
	Standing []string `json:"standing,omitempty"`
}

// Step is an action.
type Step struct {
	Cells    []Cell `json:"cells"`
	After    []int  `json:"after,omitempty"`    // steps of other columns that come directly before it in every order
	Recorded int    `json:"recorded,omitempty"` // its place in the recorded order, from 1; 0 if that is not known
	Later    bool   `json:"later,omitempty"`    // it is in none of the states, and shows what happened next in the run
}

// Cell is what a step is for one goroutine, and what is known of that goroutine behind it.
type Cell struct {
	Column int    `json:"column"`
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`    // the position, for people
	Place  string `json:"place,omitempty"` // the position, as in Files
	Minor  bool   `json:"minor,omitempty"` // a short view leaves it out

	// What changed, nil if nothing did.
	Stack  *[]string `json:"stack,omitempty"`  // functions, outermost first
	Values *[]Value  `json:"values,omitempty"` // variables that are visible
	Locks  *[]string `json:"locks,omitempty"`  // locks that it holds
}

// Value is a variable and what it is.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Watch bool   `json:"watch,omitempty"` // the formula names it
}

// Part is a part of a formula with its truth in each state of the order.
type Part struct {
	Depth int    `json:"depth"`
	Text  string `json:"text"`
	Who   string `json:"who,omitempty"` // the goroutine that an atom is about

	// Truth has a letter for each row of states with one truth, behind the number of the first of them: "0f", "7t". The letters
	// are t, f, u (undefined) and x (not computed).
	Truth []string `json:"truth"`
}

// File has lines of a source file.
type File struct {
	Name     string    `json:"name"` // as in places
	Shown    string    `json:"shown,omitempty"`
	Excerpts []Excerpt `json:"excerpts"`
}

// Excerpt has lines of a file that stand one below the other.
type Excerpt struct {
	From  int      `json:"from"`
	Lines []string `json:"lines"`
}
