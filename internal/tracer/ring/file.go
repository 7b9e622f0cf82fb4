package ring

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// FileReader reads a file that a program has written without a consumer (EnvTrace).
type FileReader struct {
	f      *os.File
	name   string
	id     Identity
	lost   uint64
	forgot bool
	in     *bufio.Reader
	end    uint64 // slots that the producer reserved and the file has room for
	cursor cursor
	window []byte // MaxExtra+1 slots
	loaded uint64 // slots read from the file
	clean  bool
	grows  bool // the program still writes it
}

// OpenFile opens such a file. The program that writes it should have ended.
func OpenFile(name string) (*FileReader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return newFileReader(f, name)
}

func newFileReader(f *os.File, name string) (*FileReader, error) {
	r := &FileReader{f: f, name: name}
	if err := r.header(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// IsFile reports whether head is the beginning of such a file.
func IsFile(head []byte) bool {
	return len(head) >= OffMagic+8 && binary.LittleEndian.Uint64(head[OffMagic:]) == Magic
}

func (r *FileReader) header() error {
	head := make([]byte, HeaderSize)
	if _, err := io.ReadFull(r.f, head); err != nil || !IsFile(head) {
		return errors.New("not a trace that a traced program has written")
	}
	if v := binary.LittleEndian.Uint32(head[OffVersion:]); v != Version {
		return fmt.Errorf("trace of version %d, this program reads version %d", v, Version)
	}
	if m := binary.LittleEndian.Uint32(head[OffMode:]); m != ModeAppend {
		return errors.New("a ring between two processes, not a trace to be read later")
	}
	if err := r.measure(binary.LittleEndian.Uint64(head[OffProd:])); err != nil {
		return err
	}
	r.lost = binary.LittleEndian.Uint64(head[OffLost:])
	r.forgot = binary.LittleEndian.Uint32(head[OffForgot:]) != 0
	r.id = identity(head)
	r.in = bufio.NewReaderSize(r.f, 1<<18)
	// A window over the file takes the place of a ring: no record is longer.
	r.window = make([]byte, (MaxExtra+1)*SlotSize)
	r.cursor.slots, r.cursor.n = r.window, MaxExtra+1
	return nil
}

// measure finds the end, from the production counter and the size of the file.
func (r *FileReader) measure(reserved uint64) error {
	info, err := r.f.Stat()
	if err != nil {
		return err
	}
	room := uint64(max(info.Size()-HeaderSize, 0)) / SlotSize
	r.clean = reserved&ClosedBit != 0
	r.end = min(reserved&^ClosedBit, room)
	return nil
}

// Next returns the next record, which is valid until the next call, or io.EOF.
func (r *FileReader) Next() (*Record, error) {
	for r.cursor.next < r.end {
		if err := r.fill(); err != nil {
			return nil, fmt.Errorf("%s: slot %d: %w", r.name, r.loaded, err)
		}
		if r.grows && r.cursor.peek() == unpublishedSlot {
			break
		}
		var rec *Record
		r.cursor.drain(r.cursor.next+1, func(found *Record) bool { rec = found; return false })
		if rec != nil {
			return rec, nil
		}
	}
	return nil, io.EOF
}

// fill reads ahead until the window has a whole record from the cursor on.
func (r *FileReader) fill() error {
	for r.loaded < min(r.end, r.cursor.next+r.cursor.n) {
		if _, err := io.ReadFull(r.in, r.cursor.slot(r.loaded)); err != nil {
			return err
		}
		r.loaded++
	}
	return nil
}

// Identity returns what the program has written about itself.
func (r *FileReader) Identity() Identity { return r.id }

// Stats returns the counts so far.
func (r *FileReader) Stats() Stats {
	s := r.cursor.stats
	s.Lost, s.Forgot = r.lost, r.forgot
	return s
}

// Clean reports whether the program ended by returning from main or os.Exit. After a crash the
// trace is complete as well, but the file may be longer than needed.
func (r *FileReader) Clean() bool { return r.clean }

func (r *FileReader) Close() error { return r.f.Close() }
