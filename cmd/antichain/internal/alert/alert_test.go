package alert

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCommand(t *testing.T) {
	var errs bytes.Buffer
	file := filepath.Join(t.TempDir(), "got")
	a := start("cat >> '"+file+"'", "", &errs)
	a.Add([]byte("one\n"))
	a.Add([]byte("two\n"))
	a.Close()
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "one\ntwo\n" || errs.Len() > 0 {
		t.Errorf("the command got %q (%v); errors %q", got, err, errs.String())
	}
}

func TestFailingCommand(t *testing.T) {
	var errs bytes.Buffer
	a := start("echo no mail today >&2; exit 3", "", &errs)
	a.Add([]byte("{}\n"))
	a.Close()
	want := "antichain: --on-violation: the command has failed: exit status 3: no mail today\n" +
		"antichain: 1 violation could not be passed on\n"
	if errs.String() != want {
		t.Errorf("errors are %q, want %q", errs.String(), want)
	}
}

// A server that is not ready gets the violation later.
func TestWebhook(t *testing.T) {
	defer func(was time.Duration) { firstPause = was }(firstPause)
	firstPause = time.Millisecond
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Header.Get("Content-Type")+" "+string(body))
		if len(got) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	var errs bytes.Buffer
	a := start("", server.URL, &errs)
	a.Add([]byte("{}"))
	a.Close()
	if len(got) != 3 || got[2] != "application/json {}" || errs.Len() > 0 {
		t.Errorf("the server got %q; errors %q", got, errs.String())
	}
}

// A violation that a server refuses is not sent again.
func TestRefused(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		http.Error(w, "no such room", http.StatusNotFound)
	}))
	defer server.Close()
	var errs bytes.Buffer
	a := start("", server.URL, &errs)
	a.Add([]byte("{}"))
	a.Close()
	want := "antichain: --webhook: the server answers 404 Not Found: no such room\n" +
		"antichain: 1 violation could not be passed on\n"
	if requests != 1 || errs.String() != want {
		t.Errorf("%d requests; errors are %q, want %q", requests, errs.String(), want)
	}
}

// Violations that come faster than they can be passed on are counted, and hold nothing up.
func TestNoRoom(t *testing.T) {
	var errs bytes.Buffer
	begun, end := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		<-end
	}))
	defer server.Close()
	a := start("", server.URL, &errs)
	a.Add([]byte("{}"))
	<-begun
	for range maxWaiting + 5 {
		a.Add([]byte("{}"))
	}
	go func() {
		for range begun {
		}
	}()
	close(end)
	a.Close()
	close(begun)
	if want := "antichain: 5 violations could not be passed on\n"; errs.String() != want {
		t.Errorf("errors are %q, want %q", errs.String(), want)
	}
}

func TestFlags(t *testing.T) {
	for _, url := range []string{"example.org", "ftp://example.org/", "http://", ":"} {
		f := Flags{url: url}
		if err := f.Validate(); err == nil || !strings.Contains(err.Error(), url) {
			t.Errorf("%q is taken: %v", url, err)
		}
	}
	for _, url := range []string{"", "http://localhost:80", "https://example.org/a?b"} {
		f := Flags{url: url}
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
	}
	var f Flags
	a := f.Start(io.Discard)
	if a != nil {
		t.Errorf("without flags there is %v", a)
	}
	a.Add(nil) // does nothing
	a.Close()
}
