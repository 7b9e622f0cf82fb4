// Package view writes one HTML page for runs and findings: the order of events as columns of goroutines, the global states along it,
// and the truth of every part of a formula in each of them. The page needs nothing but itself.
//
//	d := &view.Document{Title: "server", Runs: []*view.Run{view.RunOf("run.trace", net)}}
//	d.Findings = append(d.Findings, view.FindingOf(result, style))
//	err := view.Write(w, d)
//
// All that the page shows is computed here; the program in the page, in web/, only draws it. What a trace says reaches the page as
// data alone, never as markup.
package view
