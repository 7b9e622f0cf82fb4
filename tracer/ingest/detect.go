package ingest

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tracer/event"
)

// window is the number of bytes of an input that are used to detect its format.
const window = 1 << 16

// signs are the common beginnings of each format: of the first bytes, or of the first two lines. A
// text trace and files of spans are all JSON objects: the spans come first.
var signs = []struct {
	format Format
	shows  func(head []byte, lines string) bool
}{
	{Trace, func(head []byte, _ string) bool { return bytes.HasPrefix(head, []byte(event.BinaryMagic)) }},
	{Gotrace, func(head []byte, _ string) bool { return gotraceHead.Match(head) }},
	{OTLP, func(head []byte, lines string) bool { return spansHead.MatchString(lines) || binarySpans(head) }},
	{Jaeger, func(_ []byte, lines string) bool { return jaegerHead.MatchString(lines) }},
	{Zipkin, func(_ []byte, lines string) bool { return zipkinHead.MatchString(lines) }},
	{Chrome, func(_ []byte, lines string) bool { return chromeHead.MatchString(lines) }},
	{Trace, func(_ []byte, lines string) bool { return strings.HasPrefix(lines, "{") }},
	{STD, func(_ []byte, lines string) bool { return stdLine.MatchString(lines) }},
	{ShiViz, func(_ []byte, lines string) bool { return shivizLines.MatchString(lines) }},
}

var (
	gotraceHead = regexp.MustCompile(`^go 1\.\d+ trace\x00`)
	spansHead   = regexp.MustCompile(`^(\[\s*)?\{\s*"resourceSpans"\s*:`)
	jaegerHead  = regexp.MustCompile(`^(\[\s*)?\{\s*"(data"\s*:\s*(\[|null)|traceID"\s*:|spanID"\s*:|` +
		`result"\s*:\s*\{\s*"resourceSpans")`)
	zipkinHead = regexp.MustCompile(`^(\[\s*)*\{[^{}]*"traceId"\s*:`)
	// metadata may stand before the events
	chromeHead  = regexp.MustCompile(`^\{[^\[\]]*"traceEvents"\s*:|^\[\s*\{([^{}]|\{[^{}]*\})*"ph"\s*:`)
	objectLine  = regexp.MustCompile(`^\{[^\n]*\}\s*(\n|$)`)
	stdLine     = regexp.MustCompile(`^[^|\n]+\|(r|w|acq|rel|fork|join|begin|end)(\([^|\n]*\))?\|`)
	shivizLines = regexp.MustCompile(`^(.*\n)?\S+[ \t]+\{\s*"[^"]+"\s*:\s*\d|^.*\(\?P?<(host|clock|event)>`)
)

// detect returns the format of an input, or an error if it is unknown. It reads nothing.
func detect(in *bufio.Reader, name string) (Format, error) {
	head, err := in.Peek(window)
	if bom.IsUTF16(head) {
		return "", &event.Error{Pos: name, Reason: bom.ReasonUTF16, Remedy: bom.RemedyUTF16}
	}
	lines := strings.TrimLeft(string(bom.Trim(head)), " \t\r\n")
	for _, s := range signs {
		if s.shows(head, lines) {
			return s.format, nil // an error comes again when the input is read
		}
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return "", &event.Error{Pos: name, Reason: "neither a trace nor a log of a recognizable format",
		Remedy: "say which of the formats it has: " + formatNames()}
}

// Likely returns the formats that an input which begins like this may have, the likeliest one first
// and at most two. Those that need a mapping are among them, which [Open] does not detect.
func Likely(head []byte) []Format {
	lines := strings.TrimLeft(string(bom.Trim(head)), " \t\r\n")
	var likely []Format
	for _, s := range signs {
		if s.format != Trace && s.shows(head, lines) {
			likely = append(likely, s.format)
			break
		}
	}
	line, rest, _ := strings.Cut(lines, "\n")
	next, _, _ := strings.Cut(rest, "\n")
	switch {
	case strings.HasPrefix(lines, "{"):
		if !strings.Contains(line, `"antichain"`) && objectLine.MatchString(lines) && !slices.Contains(likely, OTLP) &&
			!slices.Contains(likely, Chrome) {
			likely = append(likely, NDJSON)
		}
	case likely == nil && utf8.Valid(whole(head)) && areCells(line, next):
		likely = append(likely, CSV)
	}
	return likely
}

// areCells reports whether two lines have as many separators, and at least one.
func areCells(line, next string) bool {
	return slices.ContainsFunc([]string{",", ";", "\t"}, func(separator string) bool {
		n := strings.Count(line, separator)
		return n > 0 && n == strings.Count(next, separator)
	})
}

// binarySpans reports whether the beginning is that of spans in protocol buffers: their first
// field, or the length of a message in four bytes. Ids of spans are random bytes, which no text
// has.
func binarySpans(head []byte) bool {
	return len(head) > 0 && (head[0] == 1<<3|2 || head[0] == 0) && !utf8.Valid(whole(head))
}

// whole returns the text without a rune at its end that the window may have cut.
func whole(text []byte) []byte { return text[:max(0, len(text)-utf8.UTFMax)] }
