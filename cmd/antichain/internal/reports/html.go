package reports

import (
	"fmt"
	"io"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/view"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// writeHTML writes a page for people, which shows the findings and the runs.
func writeHTML(w io.Writer, c *Collection) error {
	d := c.Page
	var traces []string
	for _, f := range d.Findings {
		if !slices.Contains(traces, f.Group) {
			traces = append(traces, f.Group)
		}
	}
	switch len(traces) {
	case 0:
		d.Title = "antichain"
	case 1:
		d.Title = traces[0]
	default:
		d.Title = fmt.Sprintf("antichain: %s", wording.Plural(len(traces), "run"))
	}
	return view.Write(w, &d)
}

// show has the page show a result.
func (c *Collection) show(trace string, r *tlcheck.Assessment, style report.Style) {
	if !c.Pages {
		return
	}
	f := view.FindingOf(r, style)
	f.Group = event.Printable(trace)
	if !r.IsNews() {
		f.Notes = append(f.Notes, "This is known: "+event.Printable(r.Known)+".")
	}
	c.Page.Findings = append(c.Page.Findings, f)
}

// MostDrawn bounds the number of events of a run that is drawn.
const MostDrawn = 1 << 21

// LeaveOut says that a run has too many events to be drawn.
func (c *Collection) LeaveOut(name string) {
	if c != nil && c.Pages {
		c.Page.Notes = append(c.Page.Notes, fmt.Sprintf("The run of %s has more than %d events. Its whole order is not shown.", event.Printable(name), MostDrawn))
	}
}

// showRun has the page show the whole order of a run.
func (c *Collection) showRun(name string, net *san.Net, source report.Source) {
	if !c.Pages {
		return
	}
	run := view.RunOf(name, net)
	run.AddSource(source)
	c.Page.Runs = append(c.Page.Runs, run)
}
