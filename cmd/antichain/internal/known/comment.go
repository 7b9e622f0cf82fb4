package known

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

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

// mistake says what is wrong with a comment, "" if nothing is.
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
