package stream

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
)

func TestParse(t *testing.T) {
	for word, want := range map[string]string{
		"-":                    "*stream.input - false",
		"trace.jsonl":          "*stream.file trace.jsonl false",
		"C:trace":              "*stream.file C:trace false",
		"unix:/run/s":          "*stream.listener unix:/run/s true",
		"unix+connect:s":       "*stream.dialer unix+connect:s false",
		"tcp:7000":             "*stream.listener tcp:7000 true 127.0.0.1:7000",
		"tcp::7000":            "*stream.listener tcp::7000 true 127.0.0.1:7000",
		"tcp:[::1]:7000":       "*stream.listener tcp:[::1]:7000 true [::1]:7000",
		"tcp:0.0.0.0:7000":     "*stream.listener tcp:0.0.0.0:7000 true 0.0.0.0:7000",
		"tcp+connect:far:7000": "*stream.dialer tcp+connect:far:7000 false",
		"":                     "the name of a source is empty: it is -, a file, unix:PATH or tcp:HOST:PORT",
		"unix:":                "unix: names no socket: write unix:PATH",
		"unix+connect:":        "unix+connect: names no socket: write unix+connect:PATH",
		"tcp:":                 "tcp: names no port: write tcp:PORT or tcp:HOST:PORT, an IPv6 address in brackets",
		"tcp:host:": "tcp:host: names no port: write tcp:PORT or tcp:HOST:PORT, an IPv6 address in " +
			"brackets",
		"tcp+connect:::1:7000:": "tcp+connect:::1:7000: names no port: write tcp+connect:PORT or " +
			"tcp+connect:HOST:PORT, an IPv6 address in brackets",
	} {
		s, err := Parse(word, Options{})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%T %s %v", s, s, s.Many())
			if l, ok := s.(*listener); ok && l.network == "tcp" {
				got += " " + l.address
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestExposed(t *testing.T) {
	for word, want := range map[string]bool{
		"tcp:0.0.0.0:1": true, "tcp:localhost:1": true, "tcp:[::]:1": true,
		"tcp:1": false, "tcp::1": false, "tcp+connect:far:1": false, "unix:far:1": false, "-": false,
	} {
		if Exposed(word) != want {
			t.Errorf("Exposed(%q) = %v", word, !want)
		}
	}
}

const lineA = `{"t":"a","op":"x"}` + "\n"

// A text file is followed as it grows, also from the middle of a line.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write := func(text string) {
		if _, err := f.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	write(`{"antichain":1,"tasks":["a"]}` + "\n" + lineA + lineA[:5])
	n := 0
	d := &diary{add: func(*event.Event) error { // all events so far have been read
		switch n++; n {
		case 1:
			write(lineA[5:])
		case 2:
			write(lineA)
		case 3:
			return f.Truncate(3)
		}
		return nil
	}}
	source, err := Parse(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	short := fmt.Sprintf("%s: the file has become shorter, from %d bytes to 3, while it was followed (%s)", path,
		30+3*len(lineA), RemedyName)
	serve(t, d, strings.NewReplacer("FILE", path, "SHORT", short).Replace(`
FILE begins with a
FILE: a x at FILE:2
FILE: a x at FILE:3
FILE: a x at FILE:4
fails: SHORT
FILE is cut off: SHORT
`), source)

}

// A file ends where it ends now, if that is wanted, and a binary one at its end marker.
func TestCompleteFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(`{"antichain":1,"tasks":["a"]}`+"\n"+lineA), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "binary")
	f, err := os.Create(binary)
	if err != nil {
		t.Fatal(err)
	}
	w := event.NewBinaryWriter(f, &event.Header{Tasks: []string{"b"}})
	if err := w.Write(&event.Event{Task: "b", Op: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for path, untilEOF := range map[string]bool{text: true, binary: false} {
		s, err := Parse(path, Options{UntilEOF: untilEOF})
		if err != nil {
			t.Fatal(err)
		}
		d := &diary{}
		if err := Serve(t.Context(), []Source{s}, d); err != nil {
			t.Fatal(err)
		}
		if last := d.lines[len(d.lines)-1]; len(d.lines) != 3 || last != path+" is over" {
			t.Errorf("%s: %q", path, d.lines)
		}
	}
	for path, want := range map[string]string{dir: "is a directory", filepath.Join(dir, "missing"): "no such file"} {
		s, _ := Parse(path, Options{})
		if err := Serve(t.Context(), []Source{s}, &diary{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// dialed serves a source that listens, and calls do with its address when it does.
func dialed(t *testing.T, word string, d *diary, do func(network, address string)) error {
	t.Helper()
	s, err := Parse(word, Options{UntilEOF: true, Listening: func(address string) {
		network, address, _ := strings.Cut(address, ":")
		go do(network, address)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return Serve(t.Context(), []Source{s}, d)
}

func say(t *testing.T, network, address, text string) {
	conn, err := net.Dial(network, address)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Error(err)
	}
}

func TestListeners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	for _, word := range []string{"unix:" + path, "tcp:0", "tcp:127.0.0.1:0"} {
		d := &diary{}
		err := dialed(t, word, d, func(network, address string) {
			if network == "unix" {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("socket: %v, %v", info.Mode(), err)
				}
			}
			say(t, network, address, `{"antichain":1,"tasks":["a"]}`+"\n"+lineA)
		})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, d, strings.ReplaceAll(`
W begins with a
W: a x at W:2
W is over
`, "W", word+"#1"))
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

// A socket without a listener is replaced; other files are not.
func TestStaleSockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	refused := func(want string) {
		t.Helper()
		s, _ := Parse("unix:"+path, Options{})
		if err := Serve(t.Context(), []Source{s}, &diary{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Serve: %v, want %s", err, want)
		}
	}
	refused("another process listens on " + path)
	l.Close()
	d := &diary{}
	err = dialed(t, "unix:"+path, d,
		func(network, address string) { say(t, network, address, `{"antichain":1,"tasks":["a"]}`) })
	if err != nil || len(d.lines) != 2 {
		t.Errorf("instead of a stale socket: %v, %q", err, d.lines)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("exists and is not a socket")
}

// A source can also be the socket of another listener.
func TestDialers(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		address := "127.0.0.1:0"
		if network == "unix" {
			address = filepath.Join(t.TempDir(), "s")
		}
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := l.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(`{"antichain":1,"tasks":["a"]}` + "\n" + lineA))
		}()
		word := network + "+connect:" + l.Addr().String()
		s, err := Parse(word, Options{})
		if err != nil {
			t.Fatal(err)
		}
		serve(t, &diary{}, strings.ReplaceAll("W begins with a\nW: a x at W:2\nW is over", "W", word), s)
		l.Close()
		if err := Serve(t.Context(), []Source{s}, &diary{}); err == nil ||
			!strings.Contains(err.Error(), "no peer can be reached") {
			t.Errorf("nobody listens: %v", err)
		}
	}
}

// A peer that is gone without a word (a reset) cuts its tasks off.
func TestReset(t *testing.T) {
	d := &diary{}
	err := dialed(t, "tcp:0", d, func(network, address string) {
		conn, err := net.Dial(network, address)
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_, _ = conn.Write([]byte(`{"antichain":1,"tasks":["a"]}` + "\n"))
		conn.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := d.lines[len(d.lines)-1]; !strings.Contains(last, "reset by peer") {
		t.Errorf("ended with %q", last)
	}
}

// A trace that the caller has opened, to its end, and one that continues when no more is wanted.
func TestFromReader(t *testing.T) {
	const header = `{"antichain":1,"tasks":["a"],"run":"R"}` + "\n"
	open := func(in io.Reader) Source {
		r, err := event.Open(in, "trace")
		if err != nil {
			t.Fatal(err)
		}
		return FromReader("name", r)
	}
	serve(t, &diary{}, `
name begins with a
name: a x at trace:2
name is over
`, open(strings.NewReader(header+lineA)))
	in, out := io.Pipe()
	defer in.Close()
	go func() { _, _ = io.WriteString(out, header+lineA) }()
	serve(t, &diary{add: func(*event.Event) error { return errors.New("bad event") }}, `
name begins with a
name: a x at trace:2
fails: bad event
name is cut off: bad event
`, open(in))
}
