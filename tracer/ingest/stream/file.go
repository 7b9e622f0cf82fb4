package stream

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/internal/ctxreader"
)

// file is a trace that somebody may still be writing.
type file struct {
	path     string
	untilEOF bool
}

func (s *file) String() string { return s.path }
func (s *file) close()         {}
func (s *file) Many() bool     { return false }

// open only looks whether the file is there: a named pipe may not have a writer for any time.
func (s *file) open(context.Context) error {
	info, err := os.Stat(s.path)
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory: name a trace file", s.path)
	}
	return err
}

func (s *file) serve(ctx context.Context, box *mailbox) error {
	f, err := openFile(ctx, s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	p := newProducer(ctx, s.path, s)
	var in io.Reader = f
	switch {
	case !isRegular(f):
		in = ctxreader.New(p.ctx, f)
	case !s.untilEOF:
		in = &follower{ctx: p.ctx, file: f}
	}
	box.read(p, in)
	return nil
}

// followEvery is how often a file is looked at that did not grow.
const followEvery = 10 * time.Millisecond

// follower reads a file and waits at its end for more.
type follower struct {
	ctx  context.Context
	file *os.File
	read int64 // bytes so far
}

func (f *follower) Read(b []byte) (int, error) {
	for {
		n, err := f.file.Read(b)
		if n > 0 || err != nil && err != io.EOF {
			f.read += int64(n)
			return n, err
		}
		if info, err := f.file.Stat(); err != nil {
			return 0, err
		} else if info.Size() < f.read {
			return 0, fmt.Errorf("the file has become shorter, from %d bytes to %d, while it was followed", f.read, info.Size())
		}
		select {
		case <-f.ctx.Done():
			return 0, context.Cause(f.ctx)
		case <-time.After(followEvery):
		}
	}
}
