package stream

import (
	"context"
	"fmt"
	"os"

	"github.com/antichain-go/antichain/internal/ctxreader"
)

// file is a trace that may still be growing.
type file struct {
	path    string
	options Options
}

func (s *file) String() string { return s.path }
func (s *file) close()         {}
func (s *file) Many() bool     { return false }

// open only checks that the file exists: a named pipe may not have a writer for any time.
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
	p := newProducer(ctx, s.path, s)
	in := &follower{
		ctx: p.ctx, path: s.path, file: f, byName: s.options.FollowName, note: s.options.note,
		lose: func(err error) {
			box.post(0, func(it *item) { it.message, it.from, it.err = loses, p, err })
		},
	}
	defer in.close()
	switch {
	case !isRegular(f):
		box.read(p, ctxreader.New(p.ctx, f))
	case s.options.UntilEOF:
		box.read(p, f)
	default:
		box.read(p, in)
	}
	return nil
}
