// Package view writes one HTML page for runs and findings: the order of events as columns of
// goroutines, the global states along it, and the truth of every part of a formula in each of them.
// The page has no other files.
//
//	d := &view.Document{Title: "server", Runs: []*view.Run{view.RunOf("run.trace", net)}}
//	d.Findings = append(d.Findings, view.FindingOf(result, style))
//	err := view.Write(w, d)
//
// All contents of the page are computed here; the program in the page, in web/, only draws them.
// Texts of a trace reach the page as data alone, never as markup.
package view

// Document is the contents of a page.
type Document struct {
	Title    string     `json:"title"`
	Runs     []*Run     `json:"runs,omitempty"`
	Findings []*Finding `json:"findings,omitempty"`
	Notes    []string   `json:"notes,omitempty"` // sentences, for example on what was not checked
}

// Finding is a verdict on a property, with the evidence that the page shows. All texts are
// printable.
type Finding struct {
	Property string `json:"property"`          // its name
	Builtin  bool   `json:"builtin,omitempty"` // not of a specification
	Formula  string `json:"formula,omitempty"` // as its author wrote it
	Verdict  string `json:"verdict"`           // "holds", "violated", "unknown" or "possible"
	How      string `json:"how,omitempty"`     // "observed", "predicted", …; only with evidence

	// Group is the origin of the finding in a document with several: a run, a test. The caller may
	// set it.
	Group string `json:"group,omitempty"`

	Message string   `json:"message,omitempty"` // the finding in a sentence
	Covered string   `json:"covered,omitempty"` // the part that is certain if not everything is
	Vacuous string   `json:"vacuous,omitempty"` // why a property that holds could not be violated
	Caveat  string   `json:"caveat,omitempty"`  // the assumption of the verdict
	Notes   []string `json:"notes,omitempty"`   // further help
	Again   string   `json:"again,omitempty"`   // the command that shows it again
	Report  string   `json:"report"`            // the report as text

	Order *Order  `json:"order,omitempty"` // nil without evidence
	Parts []*Part `json:"parts,omitempty"` // the formula and its parts, in prefix order
	Files []*File `json:"files,omitempty"` // source files at positions of the order
}

// Order is an order of events that leads to a global state. State 0 is the one before all steps,
// state i the one after step i-1.
type Order struct {
	Lead    string   `json:"lead"`           // how the order is known
	Word    string   `json:"word,omitempty"` // noun for the tasks; "" for goroutines
	Columns []Column `json:"columns"`
	Steps   []Step   `json:"steps"`
	// the global state of the finding; later ones occur in the formula
	State   int   `json:"state"`
	Focus   int   `json:"focus,omitempty"`   // the column that is looked at first, from 1
	Skipped int   `json:"skipped,omitempty"` // number of omitted steps
	Lost    int64 `json:"lost,omitempty"`    // number of earlier events that were discarded
}

// Column is a goroutine.
type Column struct {
	Name     string   `json:"name"`
	Title    string   `json:"title,omitempty"`   // for its head, if not the name
	Precise  string   `json:"precise,omitempty"` // its name in formulas, if not the title
	Kind     string   `json:"kind,omitempty"`    // goroutines of a kind run the same function
	Origin   string   `json:"origin,omitempty"`  // its precise name, and where it was started
	Roles    []string `json:"roles,omitempty"`   // its task variables
	Aside    bool     `json:"aside,omitempty"`   // it has no part in the finding
	Standing []string `json:"standing,omitempty"`
}

// Step is an action.
type Step struct {
	Cells []Cell `json:"cells"`
	// steps of other columns that come directly before it in every order
	After []int `json:"after,omitempty"`
	// position in the recorded order, from 1; 0 if unknown
	Recorded int `json:"recorded,omitempty"`
	// it is in none of the states, and shows the next event of the run
	Later bool `json:"later,omitempty"`
}

// Cell is the effect of a step on one goroutine, and the state of the goroutine after it.
type Cell struct {
	Column int    `json:"column"`
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`    // position for people
	Place  string `json:"place,omitempty"` // position as in Files
	Minor  bool   `json:"minor,omitempty"` // a short view omits it

	// The state of the goroutine, as far as the step changes it: nil is no change.
	Stack  *[]string `json:"stack,omitempty"`  // functions, outermost first
	Values *[]Value  `json:"values,omitempty"` // visible variables
	Locks  *[]string `json:"locks,omitempty"`  // locks that it holds
}

// Value is a variable with its value.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Watch bool   `json:"watch,omitempty"` // the formula names it
}

// Part is a part of a formula with its truth in each state of the order.
type Part struct {
	Depth int    `json:"depth"`
	Text  string `json:"text"`
	Who   string `json:"who,omitempty"` // the goroutine of an atom

	// Truth has an element for each range of states with the same truth: the number of the first
	// one and a letter, as in "0f", "7t". The letters are t, f, u (undefined) and x (not computed).
	Truth []string `json:"truth"`
}

// File has lines of a source file.
type File struct {
	Name     string    `json:"name"` // as in places
	Shown    string    `json:"shown,omitempty"`
	Excerpts []Excerpt `json:"excerpts"`
}

// Excerpt has consecutive lines of a file.
type Excerpt struct {
	From  int      `json:"from"`
	Lines []string `json:"lines"`
}
