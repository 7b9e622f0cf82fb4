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
