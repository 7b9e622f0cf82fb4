package known

import (
	"bytes"
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// Recogniser finds the reasons why the evidence of results is known.
type Recogniser struct {
	Reasons  map[string]string // by fingerprint
	Excluded []string          // directories of packages whose findings count as known
	Source   report.Source
	Warnings io.Writer `json:"-"`

	warned map[string]bool // of comments at these places
}

// Reason returns the reason why the evidence of a result is known; "" if it is new. It is known if
// one of the findings that are reported together is in the baseline or has a comment, or if all
// goroutines of the finding are in excluded packages.
func (k *Recogniser) Reason(r *tlcheck.Result) string {
	if k == nil || r.Finding == nil && r.Witness == nil {
		return ""
	}
	reason := cmp.Or(k.ignoredReason(r), k.excludedReason(r))
	for _, f := range report.Fingerprints(r, k.Source) {
		reason = cmp.Or(reason, k.Reasons[f])
	}
	return reason
}

// Reasons that do not come from a baseline.
const (
	ignoredBy = "ignored at " // begins that of a comment
	excluded  = "in an excluded package"
)

// IsIgnored reports whether a reason is that of a comment.
func IsIgnored(reason string) bool { return strings.HasPrefix(reason, ignoredBy) }

// IsExcluded reports whether a reason is that a finding is in a package that is left out.
func IsExcluded(reason string) bool { return reason == excluded }

// excludedReason returns the reason for a finding whose goroutines are all in excluded packages; ""
// for any other.
func (k *Recogniser) excludedReason(r *tlcheck.Result) string {
	if r.Finding == nil || len(k.Excluded) == 0 {
		return ""
	}
	for _, p := range r.Finding.Makers() {
		dir := filepath.Dir(k.Source.Find(r.Names.Place(p.At).At))
		if !slices.Contains(k.Excluded, dir) {
			return ""
		}
	}
	return excluded
}

// ignoredReason returns the reason of a comment at a place of those who make the finding, "" if
// there is none. A comment stands at the end of the line or alone in the line before:
//
//	mu.Lock() //antichain:ignore deadlock the other order is only taken at the start
func (k *Recogniser) ignoredReason(r *tlcheck.Result) string {
	if r.Finding == nil {
		return ""
	}
	for _, p := range r.Finding.Makers() {
		places := []string{r.Names.Place(p.At).At}
		for _, h := range p.Holds {
			places = append(places, r.Names.Place(h.At).At)
		}
		for _, at := range places {
			if reason := k.commentAt(at, string(r.Builtin)); reason != "" {
				return ignoredBy + event.Printable(k.Source.Path(at)) + ": " + event.Printable(reason)
			}
		}
	}
	return ""
}

// commentAt returns the reason that a comment at a place gives for ignoring findings of a property,
// "" if there is none.
func (k *Recogniser) commentAt(at, property string) (reason string) {
	text, line, ok := k.Source.File(at)
	if !ok {
		return ""
	}
	for _, c := range commentsFor(text, line) {
		if mistake := c.mistake(); mistake != "" {
			k.say(at, mistake)
		}
		if !c.blank && slices.Contains(c.properties, property) {
			reason = cmp.Or(reason, c.reason)
		}
	}
	return reason
}

// say reports a mistake in the comment at a place, once.
func (k *Recogniser) say(at, what string) {
	if k.warned[at] || k.Warnings == nil {
		return
	}
	if k.warned == nil {
		k.warned = map[string]bool{}
	}
	k.warned[at] = true
	fmt.Fprintf(k.Warnings, "antichain: warning: %s: %s\n", event.Printable(k.Source.Path(at)), what)
}

// comment is one that has findings ignored:
//
//	//antichain:ignore deadlock,stuck the other order is only taken at the start
type comment struct {
	properties []string
	reason     string
	blank      bool // there is one before its name, so it is text for people
}

var ignore = regexp.MustCompile(`^//([ \t]*)antichain:ignore(?:\s+(\S+)\s*(.*?))?\s*$`)

// commentOf reads the text of a comment; false if it is another one.
func commentOf(text string) (comment, bool) {
	parts := ignore.FindStringSubmatch(text)
	if parts == nil {
		return comment{}, false
	}
	return comment{strings.Split(parts[2], ","), parts[3], parts[1] != ""}, true
}

// mistake describes the mistake in a comment, "" if there is none.
func (c *comment) mistake() string {
	if c.blank {
		return "// antichain:ignore has no effect: write it without a blank behind the slashes"
	}
	for _, name := range c.properties {
		_, err := builtin.Parse(name)
		switch {
		case len(c.properties) == 1 && name == "":
			return "//antichain:ignore has no effect without the name of a built-in property and a reason"
		case err != nil:
			return fmt.Sprintf("//antichain:ignore: %v; several have commas between them, and no blanks", err)
		}
	}
	if c.reason == "" {
		return "//antichain:ignore has no effect without a reason behind the name of the property"
	}
	return ""
}

// commentsFor returns the comments for a line of a Go file: one alone in the line before, and one
// at its end.
func commentsFor(text []byte, line int) (all []comment) {
	if !bytes.Contains(text, []byte("antichain:ignore")) {
		return nil
	}
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	for last := 0; ; { // the line in which the token before ends
		pos, t, literal := s.Scan()
		at := file.PositionFor(pos, false).Line // line directives do not count
		switch {
		case t == token.EOF || at > line:
			return all
		case t == token.SEMICOLON && literal == "\n": // which the scanner adds
			continue
		case t == token.COMMENT && (at == line || at == line-1 && last < at):
			if c, ok := commentOf(literal); ok {
				all = append(all, c)
			}
		}
		last = at + strings.Count(literal, "\n")
	}
}
