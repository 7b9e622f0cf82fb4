// Package lsp is a language server for specifications (.tl): editors start it and talk to it on its
// standard streams.
//
// It speaks the Language Server Protocol 3.17. It checks the messages of a client, and answers an
// invalid one with an error. For finite-state programs (.gcl) it only reports mistakes.
//
// Names have the meaning they have for a program that is traced from the directory of the
// specification (package rewrite). The server reads the Go files there as they are on disk, and no
// other packages, so names that need their types are unknown.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// Server answers one client.
type Server struct {
	Version   string // of antichain
	Reference string // the text of antichain help spec, the source of hovers

	words     map[string]string // explanations of words from the reference, as Markdown
	documents map[string]*document
	packages  packageCache

	initialized, shutdown, exited bool
	bug                           any // the value of a panic in a handler
}

// maxDocuments limits the open documents of a client.
const maxDocuments = 1000

// Codes of errors that the protocol adds to those of JSON-RPC.
const codeNotInitialized = -32002

// Serve answers requests until the client sends exit. It returns an error if the client disconnects
// without exit.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.words = wordsOf(s.Reference)
	s.documents = map[string]*document{}
	st := &stream{in: bufio.NewReaderSize(in, maxHeaders), out: out}
	conn := jsonrpc2.NewConn(ctx, st, handler{s}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	<-conn.DisconnectNotify()
	switch {
	case s.bug != nil:
		panic(s.bug)
	case ctx.Err() != nil:
		return ctx.Err()
	case s.exited && s.shutdown:
		return nil
	case s.exited:
		return errors.New("the client sent exit without shutdown")
	case st.failure != nil:
		return st.failure
	case s.shutdown:
		return nil
	}
	return errors.New("the client went away without shutdown and exit")
}

// handler answers requests one after the other.
type handler struct{ s *Server }

// Handle answers a request, or processes a notification. An invalid notification is logged at the
// client.
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	defer func() {
		if v := recover(); v != nil {
			h.s.bug = fmt.Sprintf("%v, in %s\n\n%s", v, clip(req.Method), debug.Stack())
			conn.Close()
		}
	}()
	result, err := h.s.handle(ctx, conn, req)
	switch {
	case req.Method == "exit":
		conn.Close()
	case req.Notif && err != nil:
		_ = conn.Notify(ctx, "window/logMessage", logMessageParams{severityError, "antichain: " + err.Message})
	case req.Notif:
	case err != nil:
		_ = conn.ReplyWithError(ctx, req.ID, err) // a client that has disconnected needs no answer
	default:
		_ = conn.Reply(ctx, req.ID, result)
	}
}

func (s *Server) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	switch {
	case req.Method == "exit":
		s.exited = true
		return nil, nil
	case req.Method == "initialize" && s.initialized:
		return nil, fail(jsonrpc2.CodeInvalidRequest, "initialize was sent before")
	case req.Method == "initialize":
		s.initialized = true
		return s.initialize(), nil
	case !s.initialized:
		return nil, fail(codeNotInitialized, "%s came before initialize", clip(req.Method))
	case s.shutdown:
		return nil, fail(jsonrpc2.CodeInvalidRequest, "%s came after shutdown", clip(req.Method))
	case req.Method == "shutdown":
		s.shutdown = true
		return nil, nil
	case strings.HasPrefix(req.Method, "textDocument/did"):
		return nil, s.synchronise(ctx, conn, req)
	}
	return s.answer(req)
}

// fail is an error for the client.
func fail(code int, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: int64(code), Message: fmt.Sprintf(format, args...)}
}

func (s *Server) initialize() *initializeResult {
	var r initializeResult
	r.Capabilities.PositionEncoding = "utf-16"
	r.Capabilities.TextDocumentSync = fullText
	r.Capabilities.CompletionProvider.TriggerCharacters = []string{"."}
	r.Capabilities.HoverProvider = true
	r.Capabilities.DefinitionProvider = true
	r.Capabilities.DocumentFormattingProvider = true
	r.Capabilities.DocumentSymbolProvider = true
	r.ServerInfo.Name, r.ServerInfo.Version = "antichain", s.Version
	return &r
}

// params reads the parameters of a request.
func params(req *jsonrpc2.Request, into any) *jsonrpc2.Error {
	if req.Params == nil || string(*req.Params) == "null" {
		return fail(jsonrpc2.CodeInvalidParams, "%s has no parameters", clip(req.Method))
	}
	if err := json.Unmarshal(*req.Params, into); err != nil {
		return fail(jsonrpc2.CodeInvalidParams, "%s: %v", clip(req.Method), err)
	}
	return nil
}

// synchronise processes a notification about a document, and sends the diagnostics of the document.
func (s *Server) synchronise(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) *jsonrpc2.Error {
	var d *document
	switch req.Method {
	case "textDocument/didOpen":
		var p didOpenParams
		if err := params(req, &p); err != nil {
			return err
		}
		if len(s.documents) >= maxDocuments && s.documents[p.TextDocument.URI] == nil {
			return fail(jsonrpc2.CodeInvalidRequest, "more than %d documents are open", maxDocuments)
		}
		d = newDocument(p.TextDocument.textDocument, p.TextDocument.Text)
	case "textDocument/didChange":
		var p didChangeParams
		if err := params(req, &p); err != nil {
			return err
		}
		n := len(p.ContentChanges)
		switch {
		case s.documents[p.TextDocument.URI] == nil:
			return notOpen(p.TextDocument.URI)
		case n == 0:
			return nil
		case p.ContentChanges[n-1].Range != nil:
			return fail(jsonrpc2.CodeInvalidParams, "didChange has a range, and all of the text is expected")
		}
		d = newDocument(p.TextDocument, p.ContentChanges[n-1].Text)
	case "textDocument/didClose":
		var p documentParams
		if err := params(req, &p); err != nil {
			return err
		}
		if s.documents[p.TextDocument.URI] == nil {
			return notOpen(p.TextDocument.URI)
		}
		delete(s.documents, p.TextDocument.URI)
		return publish(ctx, conn, &publishDiagnosticsParams{URI: p.TextDocument.URI, Diagnostics: []Diagnostic{}})
	default: // didSave changes nothing
		return nil
	}
	s.documents[d.uri] = d
	return publish(ctx, conn, &publishDiagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: s.diagnostics(d)})
}

func notOpen(uri string) *jsonrpc2.Error {
	return fail(jsonrpc2.CodeInvalidParams, "%s is not open: didOpen comes first", clip(uri))
}

func publish(ctx context.Context, conn *jsonrpc2.Conn, p *publishDiagnosticsParams) *jsonrpc2.Error {
	if err := conn.Notify(ctx, "textDocument/publishDiagnostics", p); err != nil {
		return fail(jsonrpc2.CodeInternalError, "%v", err)
	}
	return nil
}

// answer answers a request about a document.
func (s *Server) answer(req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	var of func(*document, int) any
	switch req.Method {
	case "textDocument/completion":
		of = func(d *document, at int) any { return s.completion(d, at) }
	case "textDocument/hover":
		of = func(d *document, at int) any { return s.hover(d, at) }
	case "textDocument/definition":
		of = func(d *document, at int) any { return s.definition(d, at) }
	case "textDocument/formatting":
		of = func(d *document, _ int) any { return formatting(d) }
	case "textDocument/documentSymbol":
		of = func(d *document, _ int) any { return symbols(d) }
	default:
		if req.Notif { // notifications that begin with $/, and other irrelevant ones
			return nil, nil
		}
		return nil, fail(jsonrpc2.CodeMethodNotFound, "there is no method %q", clip(req.Method))
	}
	var p positionParams
	if err := params(req, &p); err != nil {
		return nil, err
	}
	d := s.documents[p.TextDocument.URI]
	switch {
	case d == nil:
		return nil, notOpen(p.TextDocument.URI)
	case d.isProgram():
		return nil, nil
	}
	return of(d, d.offset(p.Position)), nil
}
