// Package exe names places in the code of a Go executable: the function that starts at an address,
// and the line of the user's code that return addresses lead to. It reads the tables that the Go
// runtime itself needs (.gopclntab), and so works on stripped executables. It resolves inlined
// calls: a line table alone would place an inlined Mutex.Lock in mutex.go.
//
// An executable is untrusted: damaged tables give no names, and never an index out of range.
package exe

import (
	"debug/buildinfo"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"go/version"
	"path/filepath"
	"strings"
)

// Options say how positions are written.
type Options struct {
	// Root is a directory, usually that of the main module. Files below it are written relative to
	// it. Others are written as import path or module cache path and file name, or relative to the
	// root of their own module, with the name of that directory in front. If Root is in the
	// standard library, as for its tests, the code below it is the user's.
	Root string
}

// File is an open executable. Its methods may be called concurrently, except for Rebase.
type File struct {
	opt   Options
	table pclntab
	text  section // the whole text segment, searched for calls
	arch  elf.Machine

	start  uint64 // address of runtime.text in the file
	offset uint64 // of the process, to the addresses in the file

	goroot string // prefix of the names of files of the standard library; "" with -trimpath
	// prefix of the files there that are the user's nevertheless; "" if there are none
	own     string
	modules []string // paths of the modules in the executable
}

// section is a piece of the file and where it is loaded.
type section struct {
	addr uint64
	data []byte
}

// Open reads the tables of the executable at path.
func Open(path string, opt Options) (*File, error) {
	f, err := open(path, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func open(path string, opt Options) (*File, error) {
	e, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	f := &File{opt: opt, arch: e.Machine}
	if e.Class != elf.ELFCLASS64 || e.Data != elf.ELFDATA2LSB {
		return nil, errors.New("not a 64-bit little-endian executable")
	}
	pcln, err := load(e, ".gopclntab", ".data.rel.ro.gopclntab")
	if err != nil {
		return nil, err
	}
	if f.text, err = load(e, ".text"); err != nil {
		return nil, err
	}
	release := ""
	info, infoErr := buildinfo.ReadFile(path)
	if infoErr == nil {
		release, _, _ = strings.Cut(info.GoVersion, " ") // experiments follow
	}
	places := findPlaces(e, release, pcln, f.text)
	f.start = places.text
	if f.table, err = newPclntab(pcln.data, places.inlined); err != nil {
		return nil, err
	}
	if infoErr == nil {
		f.modules = append(f.modules, info.Main.Path)
		for _, m := range info.Deps {
			f.modules = append(f.modules, m.Path)
		}
	}
	f.goroot = f.findGoroot()
	if root := filepath.Clean(opt.Root) + "/"; f.goroot != "" && root != f.goroot && strings.HasPrefix(root, f.goroot) {
		f.own = root
	}
	return f, nil
}

// Rebase sets the address of runtime.text in the process (ring header), which varies if the
// executable is position independent. Zero changes nothing.
func (f *File) Rebase(text uint64) {
	if text != 0 {
		f.offset = text - f.start
	}
}

func load(e *elf.File, names ...string) (section, error) {
	for _, name := range names {
		if s := e.Section(name); s != nil && s.Type != elf.SHT_NOBITS {
			data, err := read(s)
			return section{s.Addr, data}, err
		}
	}
	return section{}, fmt.Errorf("no section %s: not a Go executable", names[0])
}

// read is s.Data with room made once, which is quicker for large sections. Reading the last byte
// shows that the file has the whole section.
func read(s *elf.Section) ([]byte, error) {
	if s.Flags&elf.SHF_COMPRESSED != 0 || s.FileSize == 0 || s.FileSize > maxSection {
		return s.Data()
	}
	if _, err := s.ReadAt(make([]byte, 1), int64(s.FileSize-1)); err != nil {
		return nil, fmt.Errorf("section %s: %w", s.Name, err)
	}
	data := make([]byte, s.FileSize)
	_, err := s.ReadAt(data, 0)
	return data, err
}

// maxSection is the size in bytes above which a section is read piece by piece.
const maxSection = 1 << 30

// places complements the line table: the address that its offsets start from, and the inline trees
// (go:func.*), nil if they are not found.
type places struct {
	text    uint64
	inlined []byte
}

// treeSections may hold the inline trees: since Go 1.26 they are in the line table, before among
// constants.
var treeSections = []string{".gopclntab", ".data.rel.ro.gopclntab", ".rodata", ".data.rel.ro"}

// findPlaces reads them from the symbols, or from the runtime's moduledata if the executable is
// stripped. release is the Go version of the compiler.
func findPlaces(e *elf.File, release string, pcln, text section) places {
	found := places{text: text.addr}
	setTrees := func(addr uint64) {
		if addr-pcln.addr < uint64(len(pcln.data)) {
			found.inlined = pcln.data[addr-pcln.addr:]
			return
		}
		for _, name := range treeSections {
			if s := e.Section(name); s != nil && s.Type != elf.SHT_NOBITS && addr-s.Addr < s.Size {
				if data, err := read(s); err == nil && addr-s.Addr < uint64(len(data)) {
					found.inlined = data[addr-s.Addr:]
				}
				return
			}
		}
	}
	if symbols, err := e.Symbols(); err == nil {
		for i := range symbols {
			switch symbols[i].Name {
			case "runtime.text":
				found.text = symbols[i].Value
			case "go:func.*":
				setTrees(symbols[i].Value)
			}
		}
	}
	if found.inlined != nil {
		return found
	}
	module, ok := findModule(e, pcln)
	if !ok {
		return found
	}
	word := func(at int) uint64 { return binary.LittleEndian.Uint64(module[at:]) }
	if t := word(moduleText); t >= text.addr && t < text.addr+uint64(len(text.data)) {
		found.text = t
	}
	setTrees(word(moduleGofunc(release)))
	return found
}

// moduleText is an offset in runtime.moduledata, of 64 bits.
const moduleText = 176

// moduleGofunc is the offset of gofunc there in a version of Go, or in the latest known one if the
// version is unknown.
func moduleGofunc(release string) int {
	if version.Compare(version.Lang(release), "go1.27") < 0 && version.IsValid(release) {
		return 320
	}
	return 344
}

// findModule returns runtime.moduledata, which begins with the address of the line table.
func findModule(e *elf.File, pcln section) (module []byte, ok bool) {
	const size = 352 // bytes that are needed
	// since Go 1.26, and before
	for _, name := range []string{".go.module", ".noptrdata", ".data"} {
		s, err := load(e, name)
		if err != nil {
			continue
		}
		relocate(e, &s)
		for at := 0; at+size <= len(s.data); at += 8 {
			if binary.LittleEndian.Uint64(s.data[at:]) == pcln.addr {
				return s.data[at:], true
			}
		}
	}
	return nil, false
}

// relocate fills in the pointers of s, which a position independent executable leaves
// to the loader.
func relocate(e *elf.File, s *section) {
	relative := map[elf.Machine]uint64{
		elf.EM_X86_64: uint64(elf.R_X86_64_RELATIVE), elf.EM_AARCH64: uint64(elf.R_AARCH64_RELATIVE),
	}[e.Machine]
	const entry = 24 // offset, info, addend
	for _, r := range e.Sections {
		if r.Type != elf.SHT_RELA {
			continue
		}
		data, err := r.Data()
		if err != nil {
			continue
		}
		for ; len(data) >= entry; data = data[entry:] {
			at := binary.LittleEndian.Uint64(data) - s.addr
			info := binary.LittleEndian.Uint64(data[8:])
			if info&0xffffffff == relative && at < uint64(len(s.data)) && at+8 <= uint64(len(s.data)) {
				copy(s.data[at:at+8], data[16:24])
			}
		}
	}
}

// Function returns the name of the function that starts at entry: "main.worker",
// "net/http.(*Server).Serve". For a go statement with arguments the compiler makes a function of
// its own; its name is that of the function it calls.
func (f *File) Function(entry uint64) string {
	fn, ok := f.table.find(entry-f.offset, f.start)
	if !ok {
		return ""
	}
	name := fn.name()
	if i := strings.LastIndex(name, ".gowrap"); i >= 0 && !strings.Contains(name[i+1:], ".") {
		if called := f.wrapped(fn); called != "" {
			name = called
		}
	}
	return name
}

// wrapped returns the function that a compiler-made wrapper calls, inlined or not.
func (f *File) wrapped(fn function) string {
	if name := fn.firstInlined(); name != "" {
		return name
	}
	for target := range f.calls(fn) {
		if called, ok := f.table.find(target, f.start); ok && called.entry == target {
			if name := called.name(); !strings.HasPrefix(name, "runtime.") {
				return name
			}
		}
	}
	return ""
}

// calls yields the targets of direct calls in the code of fn. On amd64, whose instructions have no
// fixed length, it also yields numbers that look like one.
func (f *File) calls(fn function) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		lo, hi := fn.entry-f.text.addr, fn.end-f.text.addr
		if lo > hi || hi > uint64(len(f.text.data)) {
			return
		}
		code := f.text.data[lo:hi]
		for i := 0; i+5 <= len(code); i++ {
			at := fn.entry + uint64(i)
			switch f.arch {
			case elf.EM_X86_64:
				if code[i] == 0xe8 {
					rel := int32(binary.LittleEndian.Uint32(code[i+1:]))
					if !yield(at + 5 + uint64(int64(rel))) {
						return
					}
				}
			case elf.EM_AARCH64:
				if word := binary.LittleEndian.Uint32(code[i:]); i%4 == 0 && word>>26 == 0b100101 {
					rel := int64(int32(word<<6)) >> 6 * 4
					if !yield(at + uint64(rel)) {
						return
					}
				}
			}
		}
	}
}

// generated is the file of functions that the compiler makes, as for method values.
const generated = "<autogenerated>"

// userFunctions yields the functions outside the standard library, and those that the compiler
// makes: user code may be inlined into either.
func (f *File) userFunctions() func(yield func(function) bool) {
	return func(yield func(function) bool) {
		for fn := range f.table.functions(f.start) {
			if file, _ := fn.line(fn.entry); (file == generated || !f.isStd(file)) && !yield(fn) {
				return
			}
		}
	}
}

// HasUnstarted reports whether goroutines may run code of the program that no go
// statement started: C threads that call into Go, and finalizers and cleanups.
func (f *File) HasUnstarted() bool {
	special := map[uint64]bool{}
	for fn := range f.table.functions(f.start) {
		switch name := fn.name(); {
		case strings.HasPrefix(name, "_cgoexp_"): // exported to C
			return true
		case name == "runtime.SetFinalizer", strings.HasPrefix(name, "runtime.AddCleanup["):
			special[fn.entry] = true
		}
	}
	for fn := range f.userFunctions() {
		for target := range f.calls(fn) {
			if special[target] {
				return true
			}
		}
	}
	return false
}

// findGoroot derives the directory of the standard library from a file that every program has.
func (f *File) findGoroot() string {
	const known = "runtime/proc.go"
	for fn := range f.table.functions(f.start) {
		if fn.name() == "runtime.schedinit" {
			file, _ := fn.line(fn.entry)
			if strings.HasSuffix(file, known) {
				return strings.TrimSuffix(file, known)
			}
			break
		}
	}
	return ""
}

// isStd reports whether a source file belongs to the standard library or to no
// package at all.
func (f *File) isStd(file string) bool {
	switch {
	case file == "" || file == generated:
		return true
	case f.goroot != "":
		return strings.HasPrefix(file, f.goroot) && (f.own == "" || !strings.HasPrefix(file, f.own))
	case filepath.IsAbs(file):
		return false
	}
	// Built with -trimpath: names start with import paths.
	for _, m := range f.modules {
		if m != "" && strings.HasPrefix(file, m) {
			return false
		}
	}
	first, _, _ := strings.Cut(file, "/")
	return !strings.Contains(first, ".") && first != "command-line-arguments"
}
