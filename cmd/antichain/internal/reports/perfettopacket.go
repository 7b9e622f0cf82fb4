package reports

import (
	"hash/fnv"

	"github.com/antichain-go/antichain/tracer/event"
	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of fields, from protos/perfetto/trace/perfetto_trace.proto of Perfetto.
const (
	tracePacket = 1 // of a Trace

	packetTime     = 8 // of a TracePacket
	packetSequence = 10
	packetEvent    = 11
	packetInterned = 12
	packetFlags    = 13
	packetTrack    = 60

	trackUUID     = 1 // of a TrackDescriptor
	trackName     = 2
	trackProcess  = 3
	trackParent   = 5
	trackOrdering = 11
	trackRank     = 12

	processPID  = 1 // of a ProcessDescriptor
	processName = 6

	eventCategory = 3 // of a TrackEvent: the number of an interned one
	eventDebug    = 4
	eventType     = 9
	eventName     = 10 // the number of an interned one
	eventTrack    = 11
	eventSource   = 34 // the number of an interned one
	eventFlows    = 47
	eventEnds     = 48

	internedCategory = 1 // of InternedData
	internedName     = 2
	internedSource   = 4

	internedNumber = 1 // of what is interned
	internedText   = 2
	sourceFile     = 2 // of a SourceLocation
	sourceLine     = 4

	debugText = 6  // of a DebugAnnotation
	debugName = 10 //

	sliceBegin = 1 // values of eventType
	sliceEnd   = 2
	instant    = 3

	stateCleared = 1 // values of packetFlags
	needsState   = 2

	explicitOrdering = 3 // a value of trackOrdering
)

// perfetto makes packets of a process with tracks.
type perfetto struct {
	packets  []byte
	base     uint64 // makes numbers unique in the file
	arrows   uint64
	interned map[int]map[string]uint64 // by the field of InternedData
	news     []byte                    // what was interned since the last packet
	begun    bool
}

// newPerfetto returns a maker of packets; the name distinguishes it from others in a file.
func newPerfetto(name string) *perfetto {
	h := fnv.New64a()
	h.Write([]byte(name))
	return &perfetto{base: h.Sum64(), interned: map[int]map[string]uint64{}}
}

// slice is a slice or an instant of Perfetto.
type slice struct {
	name, category string
	at             string // the position in the source
	flows, ends    []uint64
	says           string
}

func appendNumber(text []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(text, field, protowire.VarintType), n)
}

func appendText(text []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(text, field, protowire.BytesType), s)
}

func appendMessage(text []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(text, field, protowire.BytesType), m)
}

func (p *perfetto) packet(content []byte) {
	if len(p.news) > 0 {
		content = appendMessage(content, packetInterned, p.news)
		p.news = nil
	}
	flags := uint64(needsState)
	if !p.begun {
		p.begun = true
		flags = stateCleared
	}
	p.packets = protowire.AppendBytes(p.packets, appendNumber(content, packetFlags, flags))
}

// trackID returns the number of a track. The process is track -1.
func (p *perfetto) trackID(track int) uint64 { return p.base + uint64(track+2) }

// flow returns the number of a new arrow.
func (p *perfetto) flow() uint64 {
	p.arrows++
	return p.base + p.arrows
}

// process adds the process that the tracks belong to.
func (p *perfetto) process(name string) {
	process := appendNumber(nil, processPID, p.base>>34+1)
	process = appendText(process, processName, name)
	track := appendNumber(nil, trackUUID, p.trackID(-1))
	track = appendText(track, trackName, name)
	track = appendMessage(track, trackProcess, process)
	track = appendNumber(track, trackOrdering, explicitOrdering)
	p.packet(appendMessage(nil, packetTrack, track))
}

func (p *perfetto) track(number int, name string) {
	track := appendNumber(nil, trackUUID, p.trackID(number))
	track = appendText(track, trackName, name)
	track = appendNumber(track, trackParent, p.trackID(-1))
	track = appendNumber(track, trackRank, uint64(number))
	p.packet(appendMessage(nil, packetTrack, track))
}

func (p *perfetto) begin(track int, at int64, s slice) { p.event(track, at, sliceBegin, &s) }

// end ends the innermost slice.
func (p *perfetto) end(track int, at int64) { p.event(track, at, sliceEnd, &slice{}) }

// instant marks a time.
func (p *perfetto) instant(track int, at int64, s slice) { p.event(track, at, instant, &s) }

// event adds an event of a track.
func (p *perfetto) event(track int, at int64, kind uint64, s *slice) {
	e := appendNumber(nil, eventType, kind)
	e = appendNumber(e, eventTrack, p.trackID(track))
	if s.name != "" {
		e = appendNumber(e, eventName, p.intern(internedName, s.name, nil))
		e = appendNumber(e, eventCategory, p.intern(internedCategory, s.category, nil))
	}
	if line, ok := placeOf(event.Printable(s.at)); ok {
		source := appendText(nil, sourceFile, line.file)
		source = appendNumber(source, sourceLine, uint64(line.line))
		e = appendNumber(e, eventSource, p.intern(internedSource, s.at, source))
	}
	for _, id := range s.flows {
		e = protowire.AppendFixed64(protowire.AppendTag(e, eventFlows, protowire.Fixed64Type), id)
	}
	for _, id := range s.ends {
		e = protowire.AppendFixed64(protowire.AppendTag(e, eventEnds, protowire.Fixed64Type), id)
	}
	if s.says != "" {
		e = appendMessage(e, eventDebug, appendText(appendText(nil, debugName, "finding"), debugText, s.says))
	}
	p.packet(appendMessage(appendNumber(nil, packetTime, uint64(at)), packetEvent, e))
}

// intern returns the number of a text, which the next packet brings if it is new: as itself, or as
// another message.
func (p *perfetto) intern(field int, text string, content []byte) uint64 {
	known := p.interned[field]
	if known == nil {
		known = map[string]uint64{}
		p.interned[field] = known
	}
	n, ok := known[text]
	if !ok {
		n = uint64(len(known) + 1)
		known[text] = n
		if content == nil {
			content = appendText(nil, internedText, text)
		}
		p.news = appendMessage(p.news, protowire.Number(field), append(appendNumber(nil, internedNumber, n), content...))
	}
	return n
}
