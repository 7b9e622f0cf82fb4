package instrument

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/internal/tracer/instrument/helper"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Verb is the kind of a build's result.
type Verb int

// The results of a build.
const (
	Executable Verb = iota // go build
	Test                   // go test
)

// Config describes a build.
type Config struct {
	Verb     Verb
	Go       string   // the go command; default "go" in PATH
	Dir      string   // the user's working directory; default the current one
	Env      []string // of go commands; nil is this process's
	GoFlags  []string // the user's flags for go build or go test
	Packages []string // patterns as the user wrote them; default "."

	Specs []rewrite.Spec // records to make; none traces synchronisation only
	// lines before which goroutines can be held: see ring.Schedule.Lines, which are indexes in this
	// list
	Lines []rewrite.Line
	// functions that some package of the build must have, though they are not recorded
	Named []rewrite.Name

	// Memory makes the program report its accesses to memory: those of the packages in Packages, of
	// the others of their modules, of the standard library as far as possible
	// (goroot.CanInstrumentMemory), and of packages that the patterns MemoryPackages match.
	// Accesses to maps, slices and channels are reported everywhere.
	Memory         bool
	MemoryPackages []string

	// CacheDir holds generated files, named by their content. It must be the user's
	// alone. The build cache of Go works as well with a new directory each time.
	CacheDir string

	// Cache is the directory for files that later builds use; "" is that of cachedir.Find.
	Cache  string
	Stderr io.Writer

	// Without names capabilities of tracing (goroot.Capabilities) that are left out as if they did
	// not fit, to test the messages about that.
	Without []string

	ownGo string // the version of Go that this program was built with, in tests; "" is the real one
}

// Build is a build that is ready to be run.
type Build struct {
	Overlay  string        // path of the overlay for go build -overlay
	Tables   []*site.Table // one for each of Config.Specs
	Warnings []string      // names that cannot be recorded

	Release  goroot.Release // of the toolchain
	Lacks    []goroot.Lack  // the capabilities of tracing that this toolchain lacks
	Untraced []string       // the gaps in the order of events in this program, and why
	Used     []string       // the names of the Lacks that this program may rely on
	// the built-in properties that cannot be judged in this program, each followed by a colon and
	// why
	Unwatched []string
	// with Config.Memory, why some accesses to memory by the program are not recorded, "" if all
	// are
	Hidden string

	// Silent are, with Config.Memory, the packages that do not report their accesses, as they are
	// not among those named, of their modules, of the standard library or of MemoryPackages.
	Silent []string

	// the directories of the modules whose source is built in, but for those in ModCache, by the
	// first part of a trimmed path
	Modules  map[string]string
	ModCache string // the module cache

	config Config
	flags  []goFlag // the user's, without -overlay
	all    []goFlag // those of GOFLAGS before them
	added  []string // names of files to build beside those that Config.Packages lists one by one

	compiler []string // flags for the compiler of single packages
	library  library

	alone bool // a single package is built, or tested
	test  testBinary
}

// Package is a package that a pattern matches.
type Package struct {
	ImportPath, Name, Dir string
	Root                  string // of its module: positions are relative to it
}

// ListPackages returns the packages that the patterns of c match.
func ListPackages(ctx context.Context, c Config) ([]Package, error) {
	flags, err := c.normalise()
	if err != nil {
		return nil, err
	}
	c.Verb = Executable // test variants are not packages of their own
	overlay := ""
	if file := overlayFlag(flags); file != "" {
		overlay = frontend.Absolute(c.Dir, file)
	}
	if c.Memory {
		env, err := c.goEnv(ctx)
		if err != nil {
			return nil, err
		}
		if flags, err = env.withDetector(flags); err != nil {
			return nil, err
		}
	}
	all, err := c.list(ctx, flags, overlay, "-find") // without dependencies
	if err != nil {
		return nil, err
	}
	var matched []Package
	for _, l := range all {
		matched = append(matched, Package{l.ImportPath, l.Name, l.Dir, l.Root()})
	}
	return matched, errorsIn(all)
}

// Prepare resolves the names of the specifications and writes the overlay. It builds only the
// packages whose types it needs.
func Prepare(ctx context.Context, c Config) (*Build, error) {
	own, err := c.normalise()
	if err != nil {
		return nil, err
	}
	env, err := c.goEnv(ctx)
	if err != nil {
		return nil, err
	}
	flags, err := env.flags(own)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(env.check(flags), c.checkCoverage(flags)); err != nil {
		return nil, err
	}
	if err := cachedir.Private(c.CacheDir); err != nil {
		return nil, err
	}
	if env, err = c.relocate(env); err != nil {
		return nil, err
	}
	userReplace, err := readUserOverlay(c.Dir, overlayFlag(flags))
	if err != nil {
		return nil, err
	}
	o := &overlay{dir: c.CacheDir, replace: maps.Clone(userReplace)}
	lib, err := o.addGoroot(ctx, &c, env)
	if err != nil {
		return nil, c.withoutRoom(ctx, err)
	}
	if isMissing(lib.Lacks, goroot.MemoryAccesses) {
		c.Memory = false // the accesses could not be received: see goroot.Options
	}
	if c.Memory {
		if own, err = env.withDetector(own); err != nil {
			return nil, err
		}
		if flags, err = env.flags(own); err != nil {
			return nil, err
		}
	}
	b := &Build{Release: lib.Release, Lacks: lib.Lacks, config: c, flags: own, all: flags,
		library: newLibrary(&c, lib.Release.Name, lib.Replace)}
	if err := b.rewrite(ctx, o, env, userReplace); err != nil {
		return nil, c.withoutRoom(ctx, err)
	}
	for _, f := range own {
		switch name := strings.TrimPrefix(f.name, "test."); {
		case name == "vet" && f.value != "off":
			b.Warnings = append(b.Warnings, "-vet is ignored: vet would see rewritten files; use go vet")
		case name == "fuzz" && f.value != "":
			b.Warnings = append(b.Warnings,
				"-fuzz tries new inputs in processes that are not traced; without it the existing inputs run as "+
					"tests, and are traced")
		}
	}
	b.Overlay, err = o.write()
	return b, err
}

// rewrite adds the user's files and the agent to the overlay.
func (b *Build) rewrite(ctx context.Context, o *overlay, env *goEnv, userReplace map[string]string) error {
	base, err := o.write()
	if err != nil {
		return err
	}
	extra := []string{"-deps"}
	if len(b.config.Specs) > 0 {
		// Export data, only needed to resolve names, costs a build of the listed packages, which
		// compiles the standard library with the overlay and so is no waste.
		extra = append(extra, "-export")
	}
	packages, err := b.config.list(ctx, b.flags, base, extra...)
	if err != nil {
		return err
	}
	if err := errorsIn(packages); err != nil {
		return err
	}
	prog := &frontend.Program{Packages: packages, ModCache: env.GOMODCACHE, Replace: userReplace}
	res, err := b.config.readSource(ctx, env,
		&frontend.Request{Program: *prog, Specs: b.config.Specs, Lines: b.config.Lines, Named: b.config.Named,
			Missing: names(b.Lacks)})
	if err != nil {
		return err
	}
	b.Tables, b.Warnings = res.Tables, res.Warnings
	b.Modules, b.ModCache, b.alone = modulesOf(prog), env.GOMODCACHE, isAlone(prog)
	b.noteLosses(res.MayUse)
	if !b.trimsPaths() {
		for _, t := range b.Tables {
			if l := prog.Find(t.Package); l != nil {
				t.Root = l.Root()
			}
		}
	}
	unseen := res.Unseen
	if isMissing(b.Lacks, frontend.Atomics) {
		unseen = nil // atomic operations cannot be recorded, so they need not be calls
	}
	tables, err := b.noteUntraced(prog, res)
	if err != nil {
		return err
	}
	for path, content := range res.Files {
		if err := o.add(path, content); err != nil {
			return err
		}
	}
	b.added = addedToList(prog, res.Files)
	if b.compiler, err = b.packageFlags(prog, dependents(prog, unseen)); err != nil {
		return err
	}
	table, err := embedTables(tables)
	if err != nil {
		return err
	}
	return o.addAgent(env.GOROOT, table)
}

// isMissing reports whether a capability is among those that are missing.
func isMissing(all []goroot.Lack, name string) bool {
	return slices.ContainsFunc(all, func(l goroot.Lack) bool { return l.Name == name })
}

// names returns the names of capabilities without which some verdict cannot be given.
func names(all []goroot.Lack) []string {
	var names []string
	for _, l := range all {
		if l.Order || len(l.Properties) > 0 {
			names = append(names, l.Name)
		}
	}
	return names
}

// Allows returns why a flag or verb is not available with programs that this toolchain builds, nil
// if it is.
func (b *Build) Allows(verb string) error {
	for _, l := range b.Lacks {
		if slices.Contains(l.Verbs, verb) {
			return fmt.Errorf("%s does not work with %s: %w; use another release of Go (antichain doctor shows what "+
				"each can trace)", verb, b.Release.Name, l.Why)
		}
	}
	return nil
}

// noteLosses notes the losses without these capabilities, which the program may use.
func (b *Build) noteLosses(used []string) {
	b.Used, b.Untraced, b.Unwatched = used, nil, nil
	for _, l := range b.Lacks {
		if !slices.Contains(used, l.Name) {
			continue
		}
		if l.Order { // there is no verdict without it
			b.Untraced = append(b.Untraced, l.String())
			continue
		}
		for _, property := range l.Properties {
			b.Unwatched = append(b.Unwatched, property+": "+l.String())
		}
	}
}

// readSource parses, checks and rewrites the user's packages.
func (c *Config) readSource(ctx context.Context, env *goEnv, req *frontend.Request) (*frontend.Result, error) {
	reader := helper.Reader{
		Toolchain: helper.Toolchain{
			Go: c.Go, Env: c.Env, Root: env.GOROOT, Version: env.GOVERSION,
			HostOS: env.GOHOSTOS, HostArch: env.GOHOSTARCH, Experiment: env.GOEXPERIMENT,
		},
		Dir: c.Dir, Caches: c.helperDirs, Own: c.ownGo,
	}
	return reader.Run(ctx, req)
}

// trimsPaths reports whether the binary must not contain the place where it was built.
func (b *Build) trimsPaths() bool {
	trims := false
	for _, f := range b.all {
		if f.name == "trimpath" {
			trims = f.isTrue()
		}
	}
	return trims
}

// noteUntraced notes in the tables of the binary which parts of it are not traced.
func (b *Build) noteUntraced(prog *frontend.Program, res *frontend.Result) (tables []*site.Table, err error) {
	tables = b.Tables
	if main := prog.Main(); len(tables) == 0 && b.config.Verb == Executable && main != nil {
		if tables, err = b.linkAgent(main, prog, res); err != nil {
			return nil, err
		}
	}
	if b.hasLosses() {
		for _, t := range tables {
			t.Instrumented.Untraced, t.Instrumented.Unwatched = b.Untraced, b.Unwatched
			t.SpecID = t.ID()
		}
	}
	return tables, nil
}

// linkAgent makes the main package of an executable without a specification carry the agent, which
// takes one more file: where files can be added, so a checker can halt it, and with a table of what
// is not traced. The executable may run on a machine that does not know how it was built.
func (b *Build) linkAgent(main *frontend.Package, prog *frontend.Program, res *frontend.Result) ([]*site.Table, error) {
	cover := coverage(b.all)
	switch {
	case !b.hasLosses() && (cover != "" || prog.Locked(main) != ""):
		return nil, nil
	case cover != "":
		return nil, fmt.Errorf("-%s cannot be combined with tracing this program, a part of which is not traced "+
			"(%s): that needs an additional file, and go measures coverage of the files as they lie there; leave it "+
			"out (see also GOFLAGS)",
			cover, strings.Join(slices.Concat(b.Untraced, b.Unwatched), "; "))
	}
	res.Files[filepath.Join(main.Dir, "zz_antichain.go")] = rewrite.Link("main")
	if !b.hasLosses() {
		return nil, nil
	}
	return []*site.Table{{Package: main.ImportPath}}, nil
}

// hasLosses reports whether some verdict on the program cannot be given.
func (b *Build) hasLosses() bool { return len(b.Untraced)+len(b.Unwatched) > 0 }

// args is a go command line with the overlay in place of the user's.
func (b *Build) args(verb string, extra ...string) []string {
	args := []string{verb}
	for _, f := range b.flags {
		if f.name != "overlay" && f.name != "vet" {
			args = append(args, f.words...)
		}
	}
	args = append(append(args, b.compiler...), "-overlay="+b.Overlay)
	return append(args, extra...)
}

// Compile builds the executable. Errors of the compiler go to Config.Stderr and name
// the user's files.
func (b *Build) Compile(ctx context.Context, output string) error {
	return b.compile(ctx, output, b.linkerFlags(""))
}

// compile is Compile with more flags for go build.
func (b *Build) compile(ctx context.Context, output string, flags []string) error {
	args := append(b.args("build", flags...), "-o", output, "--")
	cmd := b.config.command(ctx, append(args, b.packages()...)...)
	cmd.Stdout, cmd.Stderr = b.stderr(), b.stderr()
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		return b.config.withoutRoom(ctx, fmt.Errorf("go build: %w", err))
	}
	b.library.noteBuilt(time.Since(begun))
	return nil
}

// packages is the list to build. The go command requires all files of a list to be named in the
// same way.
func (b *Build) packages() []string {
	all := slices.Clone(b.config.Packages)
	dir, _ := filepath.Split(all[0])
	for _, name := range b.added {
		all = append(all, dir+name)
	}
	return all
}

func (b *Build) stderr() io.Writer {
	if b.config.Stderr != nil {
		return b.config.Stderr
	}
	return os.Stderr
}

// TestCommand is the go test command that runs each test binary through wrapper, a command line
// without the binary. rest follows the packages unread. Results are never taken from the cache: a
// cached result was not checked. KeepTestBinary is for when the command has ended.
func (b *Build) TestCommand(ctx context.Context, wrapper []string, rest []string) (*exec.Cmd, error) {
	// Vet would judge the rewritten files, in directories that do not exist.
	extra := []string{"-vet=off"}
	if !slices.ContainsFunc(b.flags, func(f goFlag) bool { return f.name == "count" || f.name == "test.count" }) {
		extra = append(extra, "-count=1")
	}
	if len(wrapper) > 0 {
		quoted, err := quoteFields(wrapper)
		if err != nil {
			return nil, err
		}
		extra = append(extra, "-exec="+quoted)
	}
	linker := ""
	if b.lendTestBinary(rest); b.test.dir != "" {
		extra = append(extra, "-o="+b.test.dir+string(filepath.Separator))
		linker = withoutDebug // with -o go test would keep it
	}
	args := append(b.args("test", append(extra, b.linkerFlags(linker)...)...), b.packages()...)
	// tests belong to the terminal
	cmd := exec.CommandContext(ctx, b.config.goCommand(), append(args, rest...)...)
	cmd.Dir, cmd.Env = b.config.Dir, b.config.Env
	return cmd, nil
}

// normalise makes Dir absolute, fills in the default package, and returns the flags
// without -C, which becomes part of Dir.
func (c *Config) normalise() ([]goFlag, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	c.Dir = dir
	if c.CacheDir != "" { // overlays hold absolute paths
		if c.CacheDir, err = filepath.Abs(c.CacheDir); err != nil {
			return nil, err
		}
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"."}
	}
	flags := parseGoFlags(c.GoFlags)
	return slices.DeleteFunc(flags, func(f goFlag) bool {
		if f.name == "C" {
			c.Dir = frontend.Absolute(c.Dir, f.value)
		}
		return f.name == "C"
	}), nil
}
