package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/antichain-go/antichain/tracer/event"
)

// followEvery is the interval at which a file that did not grow is checked.
const followEvery = 10 * time.Millisecond

// follower reads a file and waits at its end for more. If the name belongs to another file, or to
// none, that is an error at the end of the file; with byName, it continues with the other file
// there.
//
//	path ──► file.1 ─────────────┐ read to its end, when
//	     ──► file (replaced) ────┴─► the other one is not empty
type follower struct {
	ctx    context.Context
	path   string
	byName bool
	note   func(string) // receives messages for the user
	lose   func(error)  // receives the reason why events may be missing

	file *os.File
	read int64  // bytes so far
	last []byte // of these, the last ones

	next *os.File // has the name now, and is read after the end of the file
	gone error    // why nothing more can follow, nil if something can
}

// keptBytes is the number of bytes that a follower compares to recognise the file that it has read.
const keptBytes = 64

func (f *follower) Read(b []byte) (int, error) {
	for {
		if err := f.compare(); err != nil {
			return 0, err
		}
		n, err := f.file.Read(b)
		if n > 0 {
			f.read += int64(n)
			f.last = append(f.last, b[max(0, n-keptBytes):n]...)
			f.last = f.last[max(0, len(f.last)-keptBytes):]
			return n, nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		switch {
		case f.gone != nil:
			return 0, f.gone
		case f.next != nil:
			f.switchFile()
			continue
		}
		changed, err := f.look()
		if err != nil {
			return 0, err
		}
		if changed {
			continue // something may have been written before
		}
		select {
		case <-f.ctx.Done():
			return 0, context.Cause(f.ctx)
		case <-time.After(followEvery):
		}
	}
}

// compare checks that the last bytes read are still there. If not, the file was written anew; with
// byName it is read from its beginning.
func (f *follower) compare() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	why := ""
	if info.Size() < f.read {
		why = fmt.Sprintf("the file has become shorter, from %d bytes to %d, while it was followed", f.read,
			info.Size())
	} else {
		was := make([]byte, len(f.last))
		if n, _ := f.file.ReadAt(was, f.read-int64(len(was))); !bytes.Equal(was[:n], f.last) {
			why = "the file was written anew while it was followed"
		}
	}
	if why == "" {
		return nil
	}
	if !f.byName {
		return f.changed(why)
	}
	f.lose(&event.Error{Pos: event.Printable(f.path), Reason: why +
		": what was written before and not yet read is lost"})
	f.read, f.last = 0, nil
	_, err = f.file.Seek(0, io.SeekStart)
	return err
}

// look checks which file has the name, and reports whether it has changed.
func (f *follower) look() (changed bool, err error) {
	named, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.leave("removed, or has another name now,")
	case err != nil:
		return false, err
	}
	own, err := f.file.Stat()
	if err != nil || os.SameFile(own, named) {
		return false, err
	}
	if !f.byName {
		return f.leave("replaced by another one")
	}
	if named.Size() == 0 {
		return false, nil // the writer may still be at work on the old one
	}
	f.next, err = os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// leave notes that the name is no longer that of the file. With byName it waits for another file.
func (f *follower) leave(how string) (changed bool, err error) {
	if f.byName {
		return false, nil
	}
	f.gone = f.changed("the file was " + how + " while it was followed")
	return true, nil
}

// RemedyName is the remedy for a file that has been replaced or rewritten: Options.FollowName.
const RemedyName = "follow the name of the file to go on with what has that name now"

var errChanged = errors.New("the file is no longer what was followed")

func (f *follower) changed(reason string) error {
	return &event.Error{Pos: event.Printable(f.path), Reason: reason, Remedy: RemedyName, Err: errChanged}
}

// switchFile continues with the file that has the name now.
func (f *follower) switchFile() {
	f.note(f.path + " is another file now, which is followed from its beginning")
	f.file.Close()
	f.file, f.next, f.read, f.last = f.next, nil, 0, nil
}

// close closes the open files.
func (f *follower) close() {
	f.file.Close()
	if f.next != nil {
		f.next.Close()
	}
}
