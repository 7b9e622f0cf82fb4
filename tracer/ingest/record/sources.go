package record

import (
	"cmp"
	"encoding/binary"
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Sources brings the records of the sources of one run into order: each once, after the previous
// one of its source. The zero Sources has seen none.
type Sources struct {
	byName map[string]*source
	bytes  int // of memory for the sources, and for the records that wait for others

	// The source that was looked up last, and its name: most records of a run are of one source.
	recent *source
	name   string
}

// source is the progress of a source.
type source struct {
	next    uint64             // the number of its next record
	last    uint64             // the number of its last one, 0 if unknown
	waiting map[uint64]*Record // with greater numbers
	since   int64              // when the first of these came, or the next gap appeared
	// checksums of the latest records, by number; 0 for those not yet read, or read before a
	// snapshot
	sums [remembered]uint32
}

// remembered is the number of latest records whose checksums a source keeps. Repeated records come
// soon after.
const remembered = 16

// overhead is roughly the memory in bytes of a waiting record beside its value, and of a source
// beside its name.
const overhead = 200

// Take takes a record and appends to ready the records that can be read now; none if it is a
// repetition, or has to wait. now is a time in any unit, as in Missing. A repetition with another
// content is an error.
func (s *Sources) Take(ready []*Record, r *Record, now int64) ([]*Record, error) {
	if r.Seq == 0 {
		return append(ready, r), nil
	}
	if s.Seen(r) {
		return ready, s.Differs(r)
	}
	from := s.source(r.Source)
	if err := from.checkEnd(r); err != nil {
		return ready, err
	}
	if r.Seq > from.next {
		if len(from.waiting) == 0 {
			from.since = now
		}
		r.Other = nil // of any size, and not in snapshots
		from.waiting[r.Seq] = r
		s.bytes += len(r.Value) + overhead
		return ready, nil
	}
	ready = append(ready, r)
	from.advance(r)
	for from.waiting[from.next] != nil {
		r := from.waiting[from.next]
		delete(from.waiting, from.next)
		s.bytes -= len(r.Value) + overhead
		ready = append(ready, r)
		from.advance(r)
		from.since = now
	}
	return ready, nil
}

// advance notes that the next record is read.
func (f *source) advance(r *Record) {
	f.sums[f.next%remembered] = r.sum()
	f.next++
}

// source returns the source of that name, a new one if there is none.
func (s *Sources) source(name string) *source {
	if from := s.find(name); from != nil {
		return from
	}
	if s.byName == nil {
		s.byName = map[string]*source{}
	}
	from := &source{next: 1, waiting: map[uint64]*Record{}}
	s.byName[name] = from
	s.bytes += len(name) + overhead
	return from
}

// find returns the source of that name, nil if there is none.
func (s *Sources) find(name string) *source {
	if s.recent == nil || s.name != name {
		s.recent, s.name = s.byName[name], name
	}
	return s.recent
}

// Seen reports whether a record has come before, and takes nothing. Records without numbers are not
// recognised.
func (s *Sources) Seen(r *Record) bool {
	from := s.find(r.Source)
	return r.Seq > 0 && from != nil && (r.Seq < from.next || from.waiting[r.Seq] != nil)
}

// Differs returns an error if a repeated record differs from the first one, as far as checksums
// remain.
func (s *Sources) Differs(r *Record) error {
	from := s.find(r.Source)
	was := uint32(0)
	if first := from.waiting[r.Seq]; first != nil {
		was = first.sum()
	} else if r.Seq < from.next && r.Seq+remembered >= from.next {
		was = from.sums[r.Seq%remembered]
	}
	if was == 0 || was == r.sum() {
		return nil
	}
	return r.fault("give each source of a run its own name, and each of its records its own number",
		"record %d of source %q has come before, and said something else", r.Seq, r.Source)
}

// checkEnd notes which record is the last one, and reports a record after it.
func (f *source) checkEnd(r *Record) error {
	if f.last > 0 && r.Seq > f.last {
		return r.fault("send nothing behind it", "record %d of source %q, whose last one is %d", r.Seq, r.Source,
			f.last)
	}
	if r.End == 0 {
		return nil
	}
	for seq := range f.waiting {
		if seq > r.Seq {
			return r.fault("send nothing behind it", "record %d of source %q is its last one, but there is record %d",
				r.Seq, r.Source, seq)
		}
	}
	f.last = r.Seq
	return nil
}

// Ended reports whether all records of all known sources have come.
func (s *Sources) Ended() bool {
	for _, f := range s.byName {
		if f.last == 0 || f.next <= f.last {
			return false
		}
	}
	return len(s.byName) > 0
}

// None reports whether no source has counted its records.
func (s *Sources) None() bool { return len(s.byName) == 0 }

// AppendRead appends what RecallSources needs to recognise the records that were read.
func (s *Sources) AppendRead(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(s.byName)))
	for _, name := range stdslices.Sorted(maps.Keys(s.byName)) {
		f := s.byName[name]
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
		b = binary.AppendUvarint(binary.AppendUvarint(b, f.next), f.last)
		for seq := max(f.next, remembered+1) - remembered; seq < f.next; seq++ {
			b = binary.LittleEndian.AppendUint32(b, f.sums[seq%remembered])
		}
	}
	return b
}

// RecallSources returns sources that recognise the records that those of AppendRead had read. It
// reports false if that text is damaged.
func RecallSources(read string) (*Sources, bool) {
	s, b := &Sources{byName: map[string]*source{}}, []byte(read)
	intact := true
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b, intact = nil, false
			return 0
		}
		b = b[n:]
		return v
	}
	for n := number(); n > 0 && intact; n-- {
		length := number()
		if length > uint64(len(b)) {
			return s, false
		}
		name := string(b[:length])
		b = b[length:]
		f := &source{next: number(), last: number()}
		for seq := max(f.next, remembered+1) - remembered; seq < f.next; seq++ {
			if len(b) < 4 {
				return s, false
			}
			f.sums[seq%remembered] = binary.LittleEndian.Uint32(b)
			b = b[4:]
		}
		s.byName[name] = f
	}
	return s, intact && len(b) == 0
}

// Bytes returns roughly how much memory the sources take, with the waiting records.
func (s *Sources) Bytes() int { return s.bytes }

// RemedyLate is the remedy for late records.
const RemedyLate = "allow more time for late records"

// Missing returns an error for a record for which others have waited since before the given time;
// nil if there is none.
func (s *Sources) Missing(since int64) error {
	for _, name := range stdslices.Sorted(maps.Keys(s.byName)) {
		f := s.byName[name]
		if len(f.waiting) > 0 && f.since < since {
			first := f.waiting[stdslices.Min(stdslices.Collect(maps.Keys(f.waiting)))]
			remedy := RemedyLate + " if it may still come"
			if f.next == 1 {
				remedy += "; if partitions were added to the topic while the run goes on, it is in another one; if " +
					"the topic keeps records for a short time only, it is deleted"
			}
			return first.fault(remedy, "record %d of source %q did not come; this is record %d", f.next, name,
				first.Seq)
		}
	}
	return nil
}

// Snapshot writes the sources, or reads them.
func (s *Sources) Snapshot(snap *snapshot.Codec) {
	snapshot.Map(snap, &s.byName, cmp.Compare, snap.String, func(f **source) {
		snapshot.Pointer(snap, f, func(f *source) {
			snapshot.Uint(snap, &f.next)
			snapshot.Uint(snap, &f.last)
			snapshot.Map(snap, &f.waiting, cmp.Compare, func(seq *uint64) { snapshot.Uint(snap, seq) },
				func(r **Record) {
					snapshot.Pointer(snap, r, func(r *Record) { r.snapshot(snap) })
				})
			snapshot.Int(snap, &f.since)
		})
	})
	snapshot.Int(snap, &s.bytes)
}
