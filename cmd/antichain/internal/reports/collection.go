package reports

import (
	"cmp"
	"debug/buildinfo"
	"fmt"
	"io"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/cmd/antichain/internal/view"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Contents say what reports show.
type Contents struct {
	All   bool // results; else only what is no news is kept, to be counted
	Pages bool // a format is a page for people
	Draws bool // a format shows the order of runs, which are recorded in full
}

// Collection is what a verb has found so far. A nil one takes nothing.
type Collection struct {
	Contents
	Accounts []*report.Account
	Cut      bool               // not all was checked that was to be
	Tests    *testevents.Record `json:"-"` // of antichain test, if a format has them

	Page view.Document // of Pages
	Go   string        // the release of Go that has built what ran, "" if that is not known

	Drawings []*Drawing // of Draws
	drawn    *drawer    // of the last one
}

// formats are what --report can write.
var formats = map[string]format{
	"github":   {write: writeGitHub, stream: true},
	"html":     {write: writeHTML, draws: true, pages: true},
	"json":     {write: writeJSON},
	"junit":    {write: writeJUnit, tests: true},
	"markdown": {write: writeMarkdown},
	"perfetto": {write: writePerfetto, draws: true},
	"sarif":    {write: writeSARIF},
}

// Add takes a result of a run that is called trace.
func (c *Collection) Add(trace string, r *tlcheck.Assessment, style report.Style) error {
	if c == nil || !c.All && r.IsNews() {
		return nil
	}
	a, err := report.NewAccount(trace, r, style)
	if err != nil {
		return err
	}
	c.Accounts = append(c.Accounts, a)
	c.mark(trace, r.Result)
	c.show(trace, r, style)
	return nil
}

// Ran notes which executable has run.
func (c *Collection) Ran(binary string) {
	if c == nil {
		return
	}
	if info, err := buildinfo.ReadFile(binary); err == nil {
		c.Go = info.GoVersion
	}
}

// Include takes what another process has collected.
func (c *Collection) Include(other *Collection) {
	if c != nil && other != nil {
		c.Accounts = append(c.Accounts, other.Accounts...)
		c.Drawings = append(c.Drawings, other.Drawings...)
		c.Page.Findings = append(c.Page.Findings, other.Page.Findings...)
		c.Page.Runs = append(c.Page.Runs, other.Page.Runs...)
		c.Page.Notes = append(c.Page.Notes, other.Page.Notes...)
		c.Go = cmp.Or(c.Go, other.Go)
	}
}

// HasKnown reports whether there is evidence that is no news.
func (c *Collection) HasKnown() bool {
	return c != nil && slices.ContainsFunc(c.Accounts, func(a *report.Account) bool { return a.Known != "" })
}

// writeJSON writes what --json prints.
func writeJSON(w io.Writer, c *Collection) error {
	for _, a := range c.Accounts {
		if _, err := fmt.Fprintf(w, "%s\n", a.Object); err != nil {
			return err
		}
	}
	return nil
}
