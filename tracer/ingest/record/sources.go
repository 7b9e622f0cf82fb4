package record

import (
	"cmp"
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Sources brings the records of the sources of one run into order: each comes once, behind the one before
// of its source. The zero Sources has seen none.
type Sources struct {
	byName map[string]*source
	bytes  int // of memory for the sources, and for the records that wait for others

	// The source that was looked up last, and its name: most records of a run are of one source.
	recent *source
	name   string
}

// source is how far a source has come.
type source struct {
	next    uint64             // the number of its next record
	last    uint64             // the number of its last one, 0 if that is not known
	waiting map[uint64]*Record // with greater numbers
	since   int64              // when the first of these came, or the last one was missed anew
	sums    [remembered]uint32 // of the last records that were read, by number; 0 of those that were not, or before a snapshot
}

// remembered is of how many records a source knows what they said. Those that come again come soon.
const remembered = 16

// overhead is what a record that waits takes beside its value, and a source beside its name, in bytes, roughly.
const overhead = 200

// Take takes a record and appends to ready those that can be read now; none if it has been there, or has to
// wait. Now is a time in any unit, as Missing understands it. What has been there and said something else is an error.
func (s *Sources) Take(ready []*Record, r *Record, now int64) ([]*Record, error) {
	if r.Seq == 0 {
		return append(ready, r), nil
	}
	if s.Seen(r) {
		return ready, s.Differs(r)
	}
	from := s.source(r.Source)
	if err := from.ends(r); err != nil {
		return ready, err
	}
	if r.Seq > from.next {
		if len(from.waiting) == 0 {
			from.since = now
		}
		r.Other = nil // of any size, and in no snapshot
		from.waiting[r.Seq] = r
		s.bytes += len(r.Value) + overhead
		return ready, nil
	}
	ready = append(ready, r)
	from.pass(r)
	for from.waiting[from.next] != nil {
		r := from.waiting[from.next]
		delete(from.waiting, from.next)
		s.bytes -= len(r.Value) + overhead
		ready = append(ready, r)
		from.pass(r)
		from.since = now
	}
	return ready, nil
}

// pass notes that the next record is read.
func (f *source) pass(r *Record) {
	f.sums[f.next%remembered] = r.sum()
	f.next++
}

// source returns the source of that name, which may be new.
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

// Seen reports whether a record has been there, and takes nothing. Those that do not count are not known again.
func (s *Sources) Seen(r *Record) bool {
	from := s.find(r.Source)
	return r.Seq > 0 && from != nil && (r.Seq < from.next || from.waiting[r.Seq] != nil)
}

// Differs returns an error if a record that has been there is not the one that has, as far as that is remembered.
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

// ends notes which record is the last one, and reports one behind it.
func (f *source) ends(r *Record) error {
	if f.last > 0 && r.Seq > f.last {
		return r.fault("send nothing behind it", "record %d of source %q, whose last one is %d", r.Seq, r.Source, f.last)
	}
	if r.End == 0 {
		return nil
	}
	for seq := range f.waiting {
		if seq > r.Seq {
			return r.fault("send nothing behind it", "record %d of source %q is its last one, but there is record %d", r.Seq, r.Source, seq)
		}
	}
	f.last = r.Seq
	return nil
}

// Ended reports whether all records of all sources that are known have come.
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

// Forget drops the records that wait. What has been read is known still.
func (s *Sources) Forget() {
	for _, f := range s.byName {
		for _, r := range f.waiting {
			s.bytes -= len(r.Value) + overhead
		}
		clear(f.waiting)
	}
}

// Bytes returns roughly how much memory the sources take, with the records that wait.
func (s *Sources) Bytes() int { return s.bytes }

// RemedyLate is the remedy for what comes too late.
const RemedyLate = "allow more time for late records"

// Missing returns, as an error, which record has been waited for since a time before the given one; nil if none has.
func (s *Sources) Missing(since int64) error {
	for _, name := range stdslices.Sorted(maps.Keys(s.byName)) {
		f := s.byName[name]
		if len(f.waiting) > 0 && f.since < since {
			first := f.waiting[stdslices.Min(stdslices.Collect(maps.Keys(f.waiting)))]
			remedy := RemedyLate + " if it may still come"
			if f.next == 1 {
				remedy += "; if partitions were added to the topic while the run goes on, it is in another one; if the topic keeps records for a short time only, it is deleted"
			}
			return first.fault(remedy, "record %d of source %q did not come; this is record %d", f.next, name, first.Seq)
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
			snapshot.Map(snap, &f.waiting, cmp.Compare, func(seq *uint64) { snapshot.Uint(snap, seq) }, func(r **Record) {
				snapshot.Pointer(snap, r, func(r *Record) { r.snapshot(snap) })
			})
			snapshot.Int(snap, &f.since)
		})
	})
	snapshot.Int(snap, &s.bytes)
}
