package frontend

import (
	"encoding/gob"
	"errors"
	"io"
	"runtime"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Request describes a build's questions about the user's source. The Result depends only on it and
// on the content of the files that it names.
type Request struct {
	Program
	Specs   []rewrite.Spec // records to make
	Lines   []rewrite.Line // lines before which goroutines can be held
	Named   []rewrite.Name // functions that some package must have
	Missing []string       // capabilities of tracing that are not available
}

// Result is the outcome of reading the source.
type Result struct {
	Files    map[string][]byte // replacements of the user's files, by name; see rewrite.Result
	Tables   []*site.Table     // one for each of Request.Specs
	Warnings []string          // names that cannot be recorded
	MayUse   []string          // those of Request.Missing that the program may use

	// Unseen are packages with calls of functions of sync/atomic whose files cannot be replaced,
	// without marks of test variants.
	Unseen []string
}

// ReadsSource reports whether any file must be parsed. If not, a frontend built with any release of
// Go will do.
func (r *Request) ReadsSource() bool {
	return len(r.Specs)+len(r.Lines)+len(r.Named)+len(r.Missing) > 0 ||
		slices.ContainsFunc(r.Packages, func(l *Package) bool { return l.isNameable() && importsAtomic(l) })
}

// Run reads the source.
func Run(r *Request) (*Result, error) {
	c := newChecker(&r.Program)
	mayUse, err := c.mayUse(r.Missing)
	if err != nil {
		return nil, err
	}
	rewritten, err := rewrite.Rewrite(r.Specs, c)
	if named := c.checkNamed(r.Named); named != nil {
		return nil, errors.Join(append(parts(err), parts(named)...)...)
	}
	if err != nil {
		return nil, err
	}
	unseen, err := c.atomics(rewritten.Files)
	if err != nil {
		return nil, err
	}
	if err := c.holdAt(r.Lines, rewritten.Files); err != nil {
		return nil, err
	}
	return &Result{Files: rewritten.Files, Tables: rewritten.Tables, Warnings: rewritten.Warnings, MayUse: mayUse,
		Unseen: unseen}, nil
}

// A Reply is a Result, or the errors of Run, on its way to another process.
type Reply struct {
	GoVersion string // of the process that read the source
	Result    *Result
	Errors    []string // empty if there is a Result
	Joined    bool     // Errors are those of errors.Join
}

// Serve reads a Request, runs it and writes the Reply. An error is one of reading or writing.
func Serve(in io.Reader, out io.Writer) error {
	r := new(Request)
	if err := gob.NewDecoder(in).Decode(r); err != nil {
		return err
	}
	reply := Reply{GoVersion: runtime.Version()}
	var err error
	reply.Result, err = Run(r)
	reply.Errors, reply.Joined = errorTexts(err)
	return gob.NewEncoder(out).Encode(reply)
}

// Encode writes the request for Serve.
func (r *Request) Encode(w io.Writer) error { return gob.NewEncoder(w).Encode(r) }

// ReadReply reads the output of Serve.
func ReadReply(in io.Reader) (*Reply, error) {
	reply := new(Reply)
	err := gob.NewDecoder(in).Decode(reply)
	return reply, err
}
