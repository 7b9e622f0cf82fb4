package tracedbuild

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Source returns where the source of a package is that is built, and of all that is built in.
func Source(b *instrument.Build, p instrument.Package) report.Source {
	return report.Source{Dirs: []string{p.Root, p.Dir}, Modules: b.Modules, Cache: b.ModCache, From: terminal.Here()}
}
