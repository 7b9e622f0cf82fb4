package tracedbuild

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Info is what the build of a traced binary says of it, besides what the binary itself says.
type Info struct {
	Root                string   // directory that positions are relative to
	Untraced, Unwatched []string // what is lost of it with this version of Go; see instrument.Build
	Hidden              string   // why not all accesses to memory are recorded; see instrument.Build
}

// InfoOf returns what the build of a package says of its binary.
func InfoOf(b *instrument.Build, p instrument.Package) Info {
	return Info{Root: p.Root, Untraced: b.Untraced, Unwatched: b.Unwatched, Hidden: b.Hidden}
}

// Source returns where the source of a package is that is built, and of all that is built in.
func Source(b *instrument.Build, p instrument.Package) report.Source {
	return report.Source{Dirs: []string{p.Root, p.Dir}, Modules: b.Modules, Cache: b.ModCache, From: terminal.Here()}
}
