package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// client talks to a server as an editor does.
type client struct {
	t    *testing.T
	to   io.WriteCloser
	from *bufio.Reader
	id   int
	done chan error // what Serve returned

	diagnostics map[string][]Diagnostic // by document
	logged      []string
}

// start starts a server without greeting it.
func start(t *testing.T) *client {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, to: to, from: bufio.NewReader(from), done: make(chan error, 1),
		diagnostics: map[string][]Diagnostic{}}
	server := &Server{Version: "v0", Reference: reference(t)}
	go func() {
		err := server.Serve(context.Background(), in, out)
		out.Close()
		c.done <- err
	}()
	t.Cleanup(func() { to.Close(); from.Close() })
	return c
}

// greeted starts a server that has been initialized.
func greeted(t *testing.T) *client {
	t.Helper()
	c := start(t)
	c.call("initialize", map[string]any{}, nil)
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) write(content string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.write(marshal(c.t, map[string]any{"jsonrpc": "2.0", "method": method, "params": params}))
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// message is anything that a server sends.
type message struct {
	ID     any
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func (c *client) read() message {
	c.t.Helper()
	length := 0
	for {
		line, err := c.from.ReadString('\n')
		if err != nil {
			c.t.Fatal(err)
		}
		if line == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(c.from, content); err != nil {
		c.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(content, &m); err != nil {
		c.t.Fatalf("%v in %s", err, content)
	}
	switch m.Method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnosticsParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		c.diagnostics[p.URI] = p.Diagnostics
	case "window/logMessage":
		var p logMessageParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		c.logged = append(c.logged, p.Message)
	}
	return m
}

// try sends a request, and returns the answer, which may be an error.
func (c *client) try(method string, params any) message {
	c.t.Helper()
	c.id++
	request := marshal(c.t, map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	return c.answer(request, float64(c.id))
}

// answer sends a text, and returns the answer with that ID.
func (c *client) answer(content string, id any) message {
	c.t.Helper()
	sent := make(chan error, 1)
	go func() { // the server may be writing, too
		_, err := fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(content), content)
		sent <- err
	}()
	for {
		if m := c.read(); m.Method == "" && m.ID == id {
			if err := <-sent; err != nil {
				c.t.Fatal(err)
			}
			return m
		}
	}
}

// call sends a request that must succeed.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	m := c.try(method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %+v", method, *m.Error)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			c.t.Fatal(err)
		}
	}
}

// open opens a document, and returns its diagnostics.
func (c *client) open(uri, text string) []Diagnostic {
	c.t.Helper()
	go c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri,
		"languageId": "antichain", "version": 1, "text": text}})
	for c.read().Method != "textDocument/publishDiagnostics" {
	}
	return c.diagnostics[uri]
}

func (c *client) at(uri string, p Position) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": p}
}

// workspace writes files, and returns the URI of a specification beside them.
func workspace(t *testing.T, files map[string]string) (dir, uri string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, uriOf(filepath.Join(dir, "a b.tl"))
}

const program = `package main

import "sync"

// A buffer is a ring.
type buffer struct {
	first, last int
	data        [N]int
	next        *buffer
}

const N = 8

var b, é buffer

// append puts a number in.
func append(elem int) { b.last++ }

func (q *buffer) remove() (found bool) {
	x := q.last
	return x > 0
}

func main() {
	var wg sync.WaitGroup
	go append(1)
	wg.Go(func() { y := b.first; _ = y; b.remove() })
}
`

// mark returns the text without "|", and the place where the first one stands.
func mark(t *testing.T, text string) (string, Position) {
	t.Helper()
	before, after, ok := strings.Cut(text, "|")
	if !ok {
		t.Fatalf("no | in %q", text)
	}
	d := newDocument(textDocument{}, before)
	return before + after, d.position(len(d.text))
}

func TestConversation(t *testing.T) {
	_, uri := workspace(t, map[string]string{"main.go": program})
	c := start(t)
	var greeting initializeResult
	c.call("initialize", map[string]any{"processId": nil, "capabilities": map[string]any{}}, &greeting)
	if greeting.ServerInfo.Version != "v0" || greeting.Capabilities.PositionEncoding != "utf-16" {
		t.Errorf("%+v", greeting)
	}
	c.notify("initialized", map[string]any{})
	c.notify("$/setTrace", map[string]any{"value": "off"})

	got := c.open(uri, "property p:\n  t:(in.apend and  x = 1)\nproperty q: t:(in.append\n")
	if len(got) != 2 || got[0].Range != (Range{Position{1, 21}, Position{1, 22}}) ||
		got[0].Message != `"=" is not part of the language (write "==" to compare)` ||
		got[1].Range != (Range{Position{3, 0}, Position{3, 0}}) || got[1].Severity != severityError {
		t.Errorf("%+v", got)
	}
	change := map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{map[string]any{"text": "property p:\n  t:(in.apend and   y == 1)"}}}
	go c.notify("textDocument/didChange", change)
	c.read()
	if got := c.diagnostics[uri]; len(got) != 1 || got[0].Severity != severityInformation ||
		got[0].Range != (Range{Position{1, 5}, Position{1, 13}}) ||
		got[0].Message != `no function apend in package main of this directory (did you mean "append"?)` {
		t.Errorf("%+v", got)
	}

	var edits []TextEdit
	c.call("textDocument/formatting", c.at(uri, Position{}), &edits)
	if len(edits) != 1 || edits[0].NewText != "property p:\n    t:(in.apend and y == 1)\n" ||
		edits[0].Range.End != (Position{1, 27}) {
		t.Errorf("%+v", edits)
	}
	var symbols []DocumentSymbol
	c.call("textDocument/documentSymbol", c.at(uri, Position{}), &symbols)
	if len(symbols) != 1 || symbols[0].Name != "p" ||
		symbols[0].SelectionRange != (Range{Position{0, 9}, Position{0, 10}}) ||
		symbols[0].Range.End != (Position{1, 27}) {
		t.Errorf("%+v", symbols)
	}

	go c.notify("textDocument/didClose", c.at(uri, Position{}))
	c.read()
	if got := c.diagnostics[uri]; len(got) != 0 {
		t.Errorf("%+v", got)
	}
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// A specification about something else is not compared with the package that it happens to lie in.
func TestNamesOfSomethingElse(t *testing.T) {
	_, uri := workspace(t, map[string]string{"main.go": program})
	c := greeted(t)
	if got := c.open(uri, `property p: t:(in."POST /x" and event.name == "y" and in.nothing)`); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := c.open("untitled:a.tl", "property p: t:(in.append and in.nothing)"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPrograms(t *testing.T) {
	c := greeted(t)
	uri := "file:///a.gcl"
	if got := c.open(uri, "declare x : [0..1];\nprocess P begin x := 1 end."); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := c.open(uri, "declare x : [1..0];\nprocess P begin x := 1 end."); len(got) != 1 ||
		!strings.Contains(got[0].Message, "range [1..0] is empty") {
		t.Errorf("%+v", got)
	}
	if got := c.open(uri, "é prcess P begin skip end."); len(got) != 1 ||
		got[0].Range != (Range{Position{0, 0}, Position{0, 1}}) {
		t.Errorf("%+v", got)
	}
	if m := c.try("textDocument/hover", c.at(uri, Position{})); m.Error != nil || string(m.Result) != "null" {
		t.Errorf("%+v", m)
	}
}

// Any message of a client gets an answer that names its mistake, and the next request is answered.
func TestBrokenRequests(t *testing.T) {
	c := start(t)
	for _, tt := range []struct {
		content string
		id      any
		code    int
		text    string
	}{
		{`{"jsonrpc":"2.0","id":"a","method":"textDocument/hover","params":{}}`, "a", -32002, "before initialize"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, 1.0, 0, ""},
		{`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`, 2.0, -32600, "sent before"},
		{`{"jsonrpc":"2.0","id":3,"method":"nonsense"}`, 3.0, -32601, `no method "nonsense"`},
		{`{"jsonrpc":"2.0","id":4,"method":"textDocument/hover"}`, 4.0, -32602, "no parameters"},
		{`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":[1]}`, 5.0, -32602, "cannot unmarshal"},
		{`{"jsonrpc":"2.0","id":6,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x.tl"},"position":{"line":-1}}}`, 6.0, -32602, "-1"},
		{`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x.tl"}}}`, 7.0,
			-32602, "not open"},
		// a request in the place of a notification
		{`{"jsonrpc":"2.0","id":8,"method":"textDocument/didOpen","params":{}}`, 8.0, 0, ""},
		{`{"jsonrpc"`, nil, -32700, "no message of JSON-RPC"},
		{``, nil, -32700, "no message of JSON-RPC"},
		{`null`, nil, -32600, "no message of JSON-RPC"},
		{`[]`, nil, -32600, "no message of JSON-RPC"},
		{`{"jsonrpc":"2.0","id":{},"method":"x"}`, nil, -32600, "ID"},
		{`{"jsonrpc":"2.0","id":9,"method":7}`, nil, -32600, "no message of JSON-RPC"},
		{strings.Repeat("[", 100_000), nil, -32700, "no message of JSON-RPC"},
		{"{\"\xff\": \"\\ud800\", \"id\":10,\"method\":\"textDocument/hover\"}", 10.0, -32602, "no parameters"},
		{`{"jsonrpc":"2.0","id":11,"method":"shutdown"}`, 11.0, 0, ""},
		{`{"jsonrpc":"2.0","id":12,"method":"textDocument/hover"}`, 12.0, -32600, "after shutdown"},
	} {
		m := c.answer(tt.content, tt.id)
		switch {
		case tt.code == 0 && m.Error != nil, tt.code != 0 && m.Error == nil:
			t.Errorf("%.80s: %+v", tt.content, m)
		case tt.code != 0 && (m.Error.Code != tt.code || !strings.Contains(m.Error.Message, tt.text)):
			t.Errorf("%.80s: %+v, want %d with %q", tt.content, *m.Error, tt.code, tt.text)
		}
	}
}

// Mistakes in notifications are logged at the client.
func TestBrokenNotifications(t *testing.T) {
	c := greeted(t)
	for _, tt := range []struct{ method, params, want string }{
		{"textDocument/didOpen", `[]`, "cannot unmarshal"},
		{"textDocument/didChange", `{"textDocument":{"uri":"file:///x.tl"},"contentChanges":[{"text":""}]}`, "not open"},
		{"textDocument/didClose", `{"textDocument":{"uri":"file:///x.tl"}}`, "not open"},
	} {
		go c.notify(tt.method, json.RawMessage(tt.params))
		if c.read(); !strings.Contains(c.logged[len(c.logged)-1], tt.want) {
			t.Errorf("%s: %q", tt.method, c.logged)
		}
	}
	c.open("file:///x.tl", "shared x")
	go c.notify("textDocument/didChange", json.RawMessage(`{"textDocument":{"uri":"file:///x.tl"},"contentChanges":[{"range":{},"text":""}]}`))
	if c.read(); !strings.Contains(c.logged[len(c.logged)-1], "all of the text is expected") {
		t.Errorf("%q", c.logged)
	}
}

// Input that has no messages ends the server, with an error that says why.
func TestBrokenFraming(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "went away without shutdown"},
		{"hello\n", `"hello" is no header`},
		{"\r\n", "no header Content-Length"},
		{"Content-Type: x\r\n\r\n{}", "no header Content-Length"},
		{"Content-Length: -1\r\n\r\n", `"-1" is no number`},
		{"Content-Length: 99999999999999999999\r\n\r\n", "is no number of at most"},
		{"Content-Length: 2000000000\r\n\r\n", "is no number of at most"},
		{"Content-Length: 10\r\n\r\n{}", "in the middle of a message"},
		{"Content-Length: 10", "in the middle of a message"},
		{strings.Repeat("x", 10_000), "more than 4096 bytes"},
		{strings.Repeat("X: y\r\n", 2_000), "more than 4096 bytes"},
		{"Content-Length: 33\n\n" + `{"jsonrpc":"2.0","method":"exit"}`, "exit without shutdown"},
	} {
		var out bytes.Buffer
		err := (&Server{}).Serve(context.Background(), strings.NewReader(tt.in), &out)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: %v, want %q", tt.in, err, tt.want)
		}
	}
}

// A client that reads nothing more is no reason to wait for it.
func TestClosedOutput(t *testing.T) {
	from, out := io.Pipe()
	from.Close()
	in := "Content-Length: 2\r\n\r\n{}"
	if err := (&Server{}).Serve(context.Background(), strings.NewReader(in), out); err == nil ||
		!strings.Contains(err.Error(), "closed pipe") {
		t.Error(err)
	}
}
