package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/op"
)

// Fingerprint identifies evidence, in 32 hexadecimal digits. It stays the same from run to run, and
// when lines move. It covers the property and, for a finding, what its parties do in which function
// and the text of the line; for a violation of a specification, the functions that the tasks of its
// TIVs run. It is "" without evidence.
func Fingerprint(r *tlcheck.Result, source Source) string {
	var parts []string
	switch {
	case r.Finding != nil:
		parts = append(partsOf(r, source), string(r.Builtin))
	case r.Witness != nil:
		parts = append(playersOf(r), r.Property.Name, spec.FormatProperty(r.Property))
	default:
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x01")))
	return hex.EncodeToString(sum[:16])
}

// Fingerprints returns the fingerprint of a result's evidence, and those of the findings reported
// with it.
func Fingerprints(r *tlcheck.Result, source Source) []string {
	first := Fingerprint(r, source)
	if first == "" {
		return nil
	}
	all := []string{first}
	if r.Finding != nil {
		for i := range r.Finding.Also {
			all = append(all, Fingerprint(tlcheck.Also(r, i), source))
		}
	}
	return all
}

// partsOf returns what the parties of a finding do, in an order that does not depend on the run.
// The numbers of tasks and objects, and the other waiting tasks, differ from run to run.
func partsOf(r *tlcheck.Result, source Source) []string {
	var parts []string
	for _, p := range r.Finding.Makers() {
		parts = append(parts, partOf(r, &p, source))
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

func partOf(r *tlcheck.Result, p *builtin.Party, source Source) string {
	l := r.Names.Place(p.At)
	part := p.Kind.String() + "\x00" + stablePlace(&l, source)
	var held []string
	for _, h := range p.Holds {
		l := r.Names.Place(h.At)
		held = append(held, "\x00holds "+h.Kind.String()+"\x00"+stablePlace(&l, source))
	}
	slices.Sort(held)
	return part + strings.Join(slices.Compact(held), "")
}

// playersOf returns the functions that the tasks of the TIVs run.
func playersOf(r *tlcheck.Result) []string {
	var parts []string
	for _, b := range r.Witness.TIVA {
		_, info, _ := r.Net.Origin(b.Task)
		parts = append(parts, b.TIV+"\x00"+info.Obj)
	}
	return parts
}

// stablePlace describes a place in terms that survive moving lines: the function, and the text of
// the line.
func stablePlace(l *op.Location, source Source) string {
	function := ""
	if inside, _ := splitCalls(l); len(inside) > 0 {
		f := inside[len(inside)-1]
		// earlier releases used symbols, and fingerprints must stay the same
		function = cmp.Or(f.Symbol, f.Function)
	}
	line, _ := source.Line(place(l))
	return function + "\x00" + strings.Join(strings.Fields(withoutComment(line)), " ")
}

// withoutComment removes the comment from a line, because it may change. Two slashes within a
// string are no comment.
func withoutComment(line string) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(line))
	s.Init(file, []byte(line), func(token.Position, string) {}, scanner.ScanComments)
	for {
		switch pos, t, text := s.Scan(); {
		case t == token.EOF:
			return line
		case t == token.COMMENT && strings.HasPrefix(text, "//"):
			return line[:file.Offset(pos)]
		}
	}
}
