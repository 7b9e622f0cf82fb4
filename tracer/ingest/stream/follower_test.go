package stream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
)

// changing does something to a file while it is followed, whenever an event has come.
type changing struct {
	t    *testing.T
	path string
	file *os.File // that is written
}

func newChanging(t *testing.T, text string) *changing {
	c := &changing{t: t, path: filepath.Join(t.TempDir(), "trace.jsonl")}
	c.create()
	c.write(text)
	t.Cleanup(func() { c.file.Close() })
	return c
}

func (c *changing) create() {
	f, err := os.OpenFile(c.path, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY, 0o600)
	c.must(err)
	c.file = f
}

func (c *changing) write(text string) {
	_, err := c.file.WriteString(text)
	c.must(err)
}

func (c *changing) rename() { c.must(os.Rename(c.path, c.path+".1")) }

func (c *changing) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Error(err)
	}
}

// A change of a followed file is reported, and ends it; by name it continues with the new one.
func TestFollowChanged(t *testing.T) {
	const first = `{"antichain":1,"tasks":["a"]}` + "\n" + lineA
	rewrite := func(c *changing) {
		c.must(c.file.Truncate(0))
		c.write(strings.Repeat("\n", 100) + lineA) // longer than it was
	}
	rotate := func(c *changing) {
		c.rename()
		c.write(lineA) // before who writes knows
		old := c.file
		c.create()
		_, err := old.WriteString(lineA[:7]) // while the new file is empty
		c.must(err)
		c.write(lineA[7:])
	}
	for name, tt := range map[string]struct {
		change func(*changing) // behind the first event
		byName bool
		events int    // that come
		said   string // how it ends, or what is said on the way
		lost   bool   // that something may be missing
	}{
		"removed": {change: func(c *changing) { c.write(lineA); c.must(os.Remove(c.path)) }, events: 2,
			said: "removed, or has another name now, while it was followed"},
		"renamed": {change: func(c *changing) { c.rename(); c.write(lineA) }, events: 2,
			said: "removed, or has another name now, while it was followed"},
		"replaced": {change: func(c *changing) { c.rename(); c.write(lineA); c.create() }, events: 2,
			said: "replaced by another one while it was followed"},
		"shorter": {change: func(c *changing) { c.must(c.file.Truncate(0)) }, events: 1,
			said: "has become shorter"},
		"rewritten":       {change: rewrite, events: 1, said: "was written anew while it was followed"},
		"rotated by name": {change: rotate, byName: true, events: 3, said: "is another file now"},
		"shorter by name": {change: func(c *changing) { c.must(c.file.Truncate(0)); c.write(lineA) }, byName: true,
			events: 2, said: "has become shorter", lost: true},
		"rewritten by name": {change: rewrite, byName: true, events: 2, said: "was written anew", lost: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChanging(t, first)
			ctx, cancel := context.WithCancelCause(t.Context())
			n := 0
			d := &diary{add: func(*event.Event) error {
				if n++; n == 1 {
					tt.change(c)
				}
				if n == tt.events && tt.byName {
					cancel(errors.New("enough"))
				}
				return nil
			}}
			var said []string
			var mu sync.Mutex
			source, err := Parse(c.path, Options{FollowName: tt.byName, Note: func(text string) {
				mu.Lock()
				defer mu.Unlock()
				said = append(said, text)
			}})
			c.must(err)
			c.must(Serve(ctx, []Source{source}, d))
			if n != tt.events {
				t.Errorf("%d events have come, not %d: %q", n, tt.events, d.lines)
			}
			mu.Lock()
			all := strings.Join(append(said, d.lines...), "\n")
			mu.Unlock()
			last := d.lines[len(d.lines)-1]
			if !strings.Contains(all, tt.said) || !strings.Contains(all, c.path) ||
				tt.lost != strings.Contains(all, "is lost") {
				t.Errorf("said %q, want %q", all, tt.said)
			}
			if want := map[bool]string{false: tt.said, true: "enough"}[tt.byName && !tt.lost]; !strings.Contains(last,
				"is cut off: ") || !strings.Contains(last, want) {
				t.Errorf("it ends with %q, want %q", last, want)
			}
		})
	}
}

// A follower by name reads everything that was written, whenever the file was replaced, and
// rewritten once all of it was read.
func TestFollowName(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		c := &changing{t: t, path: filepath.Join(dir, "f")}
		c.create()
		reading, err := os.Open(c.path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		var got strings.Builder
		f := &follower{ctx: ctx, path: c.path, byName: true, file: reading, note: func(string) {}, lose: func(error) {}}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer f.close()
			for b := make([]byte, 5); ; {
				n, err := f.Read(b)
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				got.Write(b[:n])
				mu.Unlock()
			}
		}()
		var written strings.Builder
		inFile := 0
		write := func() {
			text := fmt.Sprintf("%d;", written.Len()) // no two pieces are alike
			written.WriteString(text)
			c.write(text)
			inFile += len(text)
		}
		caughtUp := func() {
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
				mu.Lock()
				n := got.Len()
				mu.Unlock()
				if n >= written.Len() || time.Now().After(deadline) {
					return
				}
			}
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0: // renamed, and made anew when something was still written to the old one
				if inFile == 0 {
					continue
				}
				caughtUp() // of more than two files at once one is missed
				c.rename()
				write()
				c.file.Close()
				c.create()
				inFile = 0
				write()
			case 1:
				caughtUp()
				c.must(c.file.Truncate(0))
				inFile = 0
				write()
			default:
				write()
			}
		}
		caughtUp()
		cancel()
		<-done
		c.file.Close()
		if got.String() != written.String() {
			rt.Fatalf("read %q, written %q", got.String(), written.String())
		}
	})
}
