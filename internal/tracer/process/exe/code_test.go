package exe

import (
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// here returns its own return address, and the line that calls it.
//
//go:noinline
func here() (pc uintptr, line int) {
	var pcs [1]uintptr
	runtime.Callers(2, pcs[:])
	frame, _ := runtime.CallersFrames(pcs[:]).Next()
	return pcs[0], frame.Line
}

// self opens the executable of the test, in which addresses are those of the process.
func self(t *testing.T) *File {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(exe, Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func has(all []ring.Code, off uint64) bool {
	for _, c := range all {
		if c.Lo <= off && off < c.Hi {
			return true
		}
	}
	return false
}

// The code of a line has the return addresses of the calls there, and not those of the next line.
func TestLines(t *testing.T) {
	f := self(t)
	pc1, line1 := here()
	pc2, line2 := here()
	at := func(line int) string { return "code_test.go:" + strconv.Itoa(line) }
	lines := f.Lines(map[string]bool{at(line1): true, at(line2): true, "code_test.go:1": true})
	if len(lines) != 2 {
		t.Fatalf("code of %d lines", len(lines))
	}
	one, two := lines[at(line1)], lines[at(line2)]
	off1, off2 := uint64(pc1)-f.start, uint64(pc2)-f.start
	if !has(one, off1) || has(one, off2) || !has(two, off2) || has(two, off1) {
		t.Errorf("%#x at %v, %#x at %v", off1, one, off2, two)
	}
	if user := f.UserCode(); !has(user, off1) || !has(user, off2) {
		t.Error("it is not in the code of the user")
	}
}

// For each address the ranges say what a look at that address alone says.
func TestLinesEverywhere(t *testing.T) {
	f := self(t)
	wanted := make(map[string]bool)
	var at []string
	var pcs []uint64
	n := 0
	for fn := range f.table.functions(f.start) {
		if file, _ := fn.line(fn.entry); f.isStd(file) {
			continue
		}
		if n++; n%7 != 0 { // some of them
			continue
		}
		for pc := fn.entry; pc < fn.end; pc += 3 {
			if line := f.userLine(fn, pc); line != "" {
				wanted[line] = true
				at, pcs = append(at, line), append(pcs, pc)
			}
		}
	}
	if len(pcs) < 1000 {
		t.Fatalf("only %d addresses", len(pcs))
	}
	lines, user := f.Lines(wanted), f.UserCode()
	for i, pc := range pcs {
		off := pc - f.start + 1 // a call there returns behind it
		if !has(lines[at[i]], off) || !has(user, off) {
			t.Fatalf("%#x is at %s, whose code is %v", pc, at[i], lines[at[i]])
		}
	}
	for i := 1; i < len(user); i++ {
		if user[i].Lo < user[i-1].Hi {
			t.Fatalf("%v comes behind %v", user[i], user[i-1])
		}
	}
}

// Code of the standard library is none of the user's.
func TestUserCode(t *testing.T) {
	f := self(t)
	user := f.UserCode()
	std := 0
	for fn := range f.table.functions(f.start) {
		if file, _ := fn.line(fn.entry); f.isStd(file) && fn.end > fn.entry+1 {
			std++
			if has(user, fn.entry-f.start+2) {
				t.Fatalf("%s is not the user's", fn.name())
			}
		}
	}
	if std < 1000 {
		t.Errorf("only %d functions of the standard library", std)
	}
}

// caller is called by a method value.
type caller struct {
	pc   uintptr
	line int
}

func (c *caller) call() { c.pc, c.line = here() }

var methodValue func()

// Code that is inlined into a function made by the compiler is the user's.
func TestMethodValue(t *testing.T) {
	f, c := self(t), new(caller)
	methodValue = c.call
	methodValue()
	off := uint64(c.pc) - f.start
	if !has(f.UserCode(), off) {
		t.Error("it is not in the code of the user")
	}
	at := "code_test.go:" + strconv.Itoa(c.line)
	if lines := f.Lines(map[string]bool{at: true}); !has(lines[at], off) {
		t.Errorf("%#x is not at %s, whose code is %v", off, at, lines[at])
	}
}
