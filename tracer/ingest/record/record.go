// Package record carries traces through streams of records, such as the topics of Kafka.
//
//	source a of run R ──► a1 a2 a3 ─┐
//	source b of run R ──► b1 b2 ────┼──► a1 b1 a2 a2 b2 a3 …   ──► [Sources] ──► a1 b1 a2 b2 a3
//	source c of run S ──► c1 c2 ────┘    in one partition          each once, in its source's order
//
//	w, err := record.NewWriter("run 1", "web", header, record.Options{}, send) // at a source
//	err = w.Write(&e)
//	ready, err := sources.Take(ready[:0], record, 0) // where records arrive; in their order, each once
//
// A run has one source or several: the processes whose events make it up. Each sends its part of
// the trace as records, which end between events (event.PartWriter).
//
// # The record
//
//	key                      id of the run
//	value                    whole lines of the text form of a trace, or one block of its
//	                         binary form; the first record of a source begins with a header line
//	header antichain-source  id of the source within the run
//	header antichain-seq     1, 2, 3, … in decimal: counts the records of a source
//	header antichain-end     on the last record of a source, whose value may be empty. The
//	                         header is run if the run has no further sources; cut if the source
//	                         broke off, and the rest of its tasks is unknown; both, run,cut; or
//	                         source
//	header antichain-sources number of sources of the run, in decimal, on one or several records
//	                         of the run. When so many have begun no other one can, and when so
//	                         many have ended the run is over
//
// Producers may send a record twice, and records of a source may change places on the way. Their
// numbers detect both. A record without antichain-source and antichain-seq is taken as it comes,
// once for each offset.
package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Names of headers.
const (
	SourceHeader  = "antichain-source"
	SeqHeader     = "antichain-seq"
	EndHeader     = "antichain-end"
	SourcesHeader = "antichain-sources"
)

// MaxSources is the maximum number of sources of a run.
const MaxSources = 1 << 16

// End is what a record ends; not zero on the last record of a source.
type End uint8

// The bits of End.
const (
	EndSource End = 1 << iota // its source
	EndRun                    // and the run, which has no further sources
	EndCut                    // and the source broke off
)

// endWords are the words of EndHeader.
var endWords = map[string]End{"source": EndSource, "run": EndRun, "cut": EndCut}

// parseEnd parses the words of an EndHeader. It returns 0 if one of them is wrong.
func parseEnd(text string) End {
	e := EndSource
	for word := range strings.SplitSeq(text, ",") {
		bit, ok := endWords[word]
		if !ok {
			return 0
		}
		e |= bit
	}
	return e
}

func (e End) String() string {
	var words []string
	for word, bit := range endWords {
		if e&bit&^EndSource != 0 {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "source"
	}
	slices.Sort(words)
	return strings.Join(words, ",")
}

// Record is a piece of the trace of one source.
type Record struct {
	Run     string
	Source  string
	Seq     uint64 // from 1; 0 if the source does not count
	End     End
	Sources int // of the run; 0 if the record does not have the number
	Value   []byte
	Events  int       // in the value, if the record is of a Writer
	At      string    // position for messages: "topic/3@1017"
	Time    time.Time // when it was written, by its own time stamp; zero if unknown
	Bad     error     // the error of SetHeaders, if a later reader must report it
	Other   []Header  // other headers; all, unchanged, if those of this package are wrong
}

// Header is a header of a record in Kafka.
type Header struct {
	Key   string
	Value []byte
}

// Headers returns the headers of a record.
func (r *Record) Headers() []Header {
	if r.Seq == 0 {
		return nil
	}
	const digits = 20 // of any number
	values := append(make([]byte, 0, len(r.Source)+digits), r.Source...)
	values = strconv.AppendUint(values, r.Seq, 10)
	source := len(r.Source)
	headers := []Header{{SourceHeader, values[:source:source]}, {SeqHeader, values[source:]}}
	if r.End != 0 {
		headers = append(headers, Header{EndHeader, []byte(r.End.String())})
	}
	if r.Sources > 0 {
		headers = append(headers, Header{SourcesHeader, strconv.AppendInt(nil, int64(r.Sources), 10)})
	}
	return headers
}

// SetHeaders parses the headers of a record. It keeps those that are not of this package. If the
// record already has the name of a source, such as that of the previous record, and the headers
// have the same one, it makes no copy.
func (r *Record) SetHeaders(headers []Header) error {
	err := r.understand(headers)
	if err != nil {
		r.Seq, r.Other = 0, slices.Clone(headers)
	}
	return err
}

func (r *Record) understand(headers []Header) error {
	source, seq := false, false
	known := r.Source
	r.Source = ""
	for _, h := range headers {
		switch h.Key {
		case SourceHeader:
			if source, r.Source = true, known; known != string(h.Value) {
				r.Source = string(h.Value)
			}
			if len(h.Value) > maxSource {
				r.Source = r.Source[:maxSource]
				return r.fault("name the source by a shorter word", "header %s of %d bytes, more than %d", SourceHeader,
					len(h.Value), maxSource)
			}
		case EndHeader:
			if r.End = parseEnd(string(h.Value)); r.End == 0 {
				return r.fault("write source, run, cut or run,cut", "header %s is %q", EndHeader, clip(h.Value))
			}
		case SeqHeader:
			seq = true
			n, err := strconv.ParseUint(string(h.Value), 10, 63)
			if err != nil || n == 0 {
				return r.fault("write 1, 2, 3, … in decimal", "header %s is %q", SeqHeader, clip(h.Value))
			}
			r.Seq = n
		case SourcesHeader:
			n, err := strconv.ParseUint(string(h.Value), 10, 63)
			if err != nil || n == 0 || n > MaxSources {
				return r.fault(fmt.Sprintf("write how many sources the run has, from 1 to %d", MaxSources),
					"header %s is %q", SourcesHeader, clip(h.Value))
			}
			r.Sources = int(n)
		default:
			r.Other = append(r.Other, h)
		}
	}
	switch {
	case source && !seq:
		return r.fault("count the records of each source from 1", "header %s without %s", SourceHeader, SeqHeader)
	case seq && !source:
		return r.fault("name the source, by any word that no other source of the run has", "header %s without %s",
			SeqHeader, SourceHeader)
	case r.Sources > 0 && !source:
		return r.fault("name the sources and count their records", "header %s without %s", SourcesHeader, SourceHeader)
	}
	return nil
}

// sum returns a checksum of the record; it is never 0.
func (r *Record) sum() uint32 { return uint32(xxhash.Sum64(r.Value)) ^ uint32(r.End)<<1 | 1 }

// maxSource bounds the name of a source, which is remembered as long as its run.
const maxSource = 4 << 10

// clip returns the beginning of untrusted bytes.
func clip(b []byte) []byte { return b[:min(len(b), 40)] }

func (r *Record) fault(remedy, format string, args ...any) error {
	return &event.Error{Pos: r.At, Reason: fmt.Sprintf(format, args...), Remedy: remedy}
}

func (r *Record) snapshot(snap *snapshot.Codec) {
	snap.String(&r.Run)
	snap.String(&r.Source)
	snapshot.Uint(snap, &r.Seq)
	snapshot.Uint(snap, &r.End)
	snapshot.Int(snap, &r.Sources)
	value := string(r.Value)
	if snap.String(&value); snap.Reading() {
		r.Value = []byte(value)
	}
	snap.String(&r.At)
}
