package instrument

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// stubHooks stands in for the hooks in package runtime: records go to standard error.
const stubHooks = `package agent

import (
	"runtime"
	_ "unsafe"
)

//go:linkname setPanicOnFault runtime/debug.setPanicOnFault
func setPanicOnFault(new bool) (old bool)

func active() bool { return true }
func before(uint32) {}

func beforeLine(uint32) {}

func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool {
	const digits = "0123456789abcdef"
	text := ""
	for _, b := range payload {
		text += string(digits[b>>4]) + string(digits[b&15])
	}
	println("@", kind, addr, arg, text)
	return true
}

func identify(string) {}
func ignore(int8)     {}
func renew()          {}

// The stand-ins for what only the runtime knows: the program says it.
var Panic uintptr
var Goexit bool

func panicking() uintptr { return Panic }
func goexiting() bool    { return Goexit }

// There is no operator.
func controlFD() int32                                { return -1 }
func operate(func())                                  {}
func haltProgram() bool                               { return false }
func resumeProgram()                                  {}
func detachProgram()                                  {}
func consumerLost()                                   {}
func setOrphan(uint32)                                {}
func consumerBeat() uint64                            { return 0 }
func await(int32, bool, int64) bool                   { return false }
func listTasks(int, []task) (n, next int)             { return 0, 0 }
func midMap() bool                                    { return false }

var _ = runtime.GOOS
`

// A construct is one case of testdata/constructs: a program, what is asked of it, and
// the records that a run of it sends.
type construct struct {
	name  string
	spec  rewrite.Spec
	files []txtar.File
	want  string
}

func readConstructs(t *testing.T) []construct {
	t.Helper()
	entries, err := os.ReadDir("testdata/constructs")
	if err != nil {
		t.Fatal(err)
	}
	var list []construct
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".txtar")
		if !ok {
			t.Fatalf("testdata/constructs/%s: not a .txtar file", e.Name())
		}
		archive, err := txtar.ParseFile(filepath.Join("testdata/constructs", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		c := construct{name: name}
		for _, f := range archive.Files {
			switch f.Name {
			case "spec":
				c.spec = rewrite.Spec{Package: "cases/" + name, Request: parseRequest(t, string(f.Data))}
			case "want":
				c.want = string(f.Data)
			default:
				c.files = append(c.files, f)
			}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatal("no cases")
	}
	return list
}

// parseRequest reads lines "func NAME", "var NAME", "shared NAME", "pattern P", "steps".
func parseRequest(t *testing.T, text string) rewrite.Request {
	t.Helper()
	var r rewrite.Request
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		what, arg, _ := strings.Cut(line, " ")
		name := rewrite.Name{Text: arg, Pos: fmt.Sprintf("spec:%d", i+1)}
		switch what {
		case "func":
			r.Functions = append(r.Functions, name)
		case "var":
			r.Variables = append(r.Variables, name)
		case "shared":
			r.Shared = append(r.Shared, name)
		case "pattern":
			r.FuncPatterns = append(r.FuncPatterns, arg)
		case "steps":
			r.Steps = true
		default:
			t.Fatalf("spec line %q", line)
		}
	}
	return r
}

// TestConstructs rewrites all cases in one build, runs them, and compares their records.
// The programs' own output must be what it is without rewriting.
func TestConstructs(t *testing.T) {
	t.Parallel()
	cases := readConstructs(t)
	dir := filepath.Join(t.TempDir(), "with space")
	config := Config{Dir: dir, Packages: []string{"./..."}, CacheDir: t.TempDir()}
	config.Specs = writeConstructs(t, dir, cases)
	plain, traced := filepath.Join(dir, "plain")+"/", filepath.Join(dir, "traced")+"/"
	goBuild(t, &config, "-o", plain, "./...")
	tables, overlayFile := stubBuild(t, &config)
	goBuild(t, &config, "-overlay", overlayFile, "-o", traced, "./...")

	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			plainOut, _ := run(t, plain+c.name)
			tracedOut, records := run(t, traced+c.name)
			if plainOut != tracedOut {
				t.Errorf("output of the program changed (-plain +traced):\n%s", cmp.Diff(plainOut, tracedOut))
			}
			// a case has no directory
			got := strings.ReplaceAll(decodeRecords(t, tables[i], records), " "+c.name+"/", " ")
			if got != c.want {
				t.Errorf("records (-want +got):\n%s", cmp.Diff(c.want, got))
				if *update {
					updateWant(t, c.name, got)
				}
			}
		})
	}
}

// writeConstructs writes a module with all cases and returns what is asked of them.
func writeConstructs(t *testing.T, dir string, cases []construct) (specs []rewrite.Spec) {
	t.Helper()
	write := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module cases\n\ngo 1.26\n"))
	for _, c := range cases {
		specs = append(specs, c.spec)
		for _, f := range c.files {
			write(filepath.Join(c.name, f.Name), f.Data)
		}
	}
	return specs
}

// stubBuild makes the overlay of a config without the hooks.
func stubBuild(t *testing.T, c *Config) ([]*site.Table, string) {
	t.Helper()
	flags, err := c.normalise()
	if err != nil {
		t.Fatal(err)
	}
	env, err := c.goEnv(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := cachedir.Private(c.CacheDir); err != nil {
		t.Fatal(err)
	}
	if env, err = c.relocate(env); err != nil {
		t.Fatal(err)
	}
	o := &overlay{dir: c.CacheDir, replace: map[string]string{}}
	b := &Build{config: *c, flags: flags}
	if err := b.rewrite(context.Background(), o, env, nil); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(env.GOROOT, "src", "antichain", "agent", "hooks.go")
	if o.replace[hooks] == "" {
		t.Fatal("no hooks in the agent")
	}
	if err := o.add(hooks, []byte(stubHooks)); err != nil {
		t.Fatal(err)
	}
	file, err := o.write()
	if err != nil {
		t.Fatal(err)
	}
	return b.Tables, file
}

func goBuild(t *testing.T, c *Config, args ...string) {
	t.Helper()
	if out, err := c.command(t.Context(), append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("go build %v: %v\n%s", args, err, out)
	}
}

// run runs a program and takes its records out of standard error.
func run(t *testing.T, program string) (out string, records []string) {
	t.Helper()
	cmd := exec.Command(program)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	rest := ""
	for line := range strings.Lines(stderr.String()) {
		if record, ok := strings.CutPrefix(line, "@ "); ok {
			records = append(records, strings.TrimSuffix(record, "\n"))
		} else if !strings.Contains(line, "0x") && !strings.Contains(line, ".go:") {
			// addresses and columns of a stack trace
			rest += line
		}
	}
	return fmt.Sprintf("%s%s%v", stdout.String(), rest, err), records
}

func decodeRecords(t *testing.T, table *site.Table, records []string) string {
	t.Helper()
	var b strings.Builder
	for _, line := range records {
		f := strings.Split(line, " ")
		kind, _ := strconv.Atoi(f[0])
		id, _ := strconv.ParseUint(f[1], 10, 64)
		payload, err := hex.DecodeString(f[3])
		if err != nil {
			t.Fatal(err)
		}
		s, ok := table.Site(id)
		if !ok {
			t.Fatalf("no site %d", id)
		}
		if s.Kind == site.None {
			continue
		}
		name := map[int]string{ring.KindEnter: "enter", ring.KindExit: "exit", ring.KindStmt: "stmt",
			ring.KindSharedInit: "sharedinit"}[kind]
		if name != string(s.Kind) {
			t.Errorf("record %s at site %d, a %s", name, id, s.Kind)
		}
		at := s.At
		if kind == ring.KindExit {
			at = [...]string{"return", "panic", "goexit"}[f[2][0]-'0']
		}
		fmt.Fprintf(&b, "%s %s %s%s\n", name, s.Func, at, formatValues(t, s, payload))
	}
	return b.String()
}

func formatValues(t *testing.T, s *site.Site, payload []byte) string {
	t.Helper()
	if len(payload) == 0 {
		return ""
	}
	text := ""
	for _, v := range s.Vars {
		present := payload[0]
		payload = payload[1:]
		if present == 0 {
			continue
		}
		value, rest, err := event.DecodeValue(payload, event.Limits{})
		if err != nil {
			t.Fatalf("value of %s: %v", v.Name, err)
		}
		payload = rest
		if v.Name != "" {
			text += fmt.Sprintf(" %s:%s=%s", v.Scope, v.Name, formatValue(value))
		}
	}
	if strings.Trim(string(payload), "\x00") != "" { // zeros fill the last slot
		t.Errorf("%q behind the values", payload)
	}
	return text
}

func formatValue(v event.Value) string {
	switch v.Kind() {
	case event.Null:
		return "null"
	case event.Bool:
		return strconv.FormatBool(v.Bool())
	case event.Int:
		return strconv.FormatInt(v.Int(), 10)
	case event.Uint:
		return strconv.FormatUint(v.Uint(), 10)
	case event.Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case event.String:
		return strconv.Quote(v.Str())
	case event.List:
		var parts []string
		for _, e := range v.List() {
			parts = append(parts, formatValue(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	var parts []string
	for _, f := range v.Fields() {
		parts = append(parts, f.Name+":"+formatValue(f.Value))
	}
	return "{" + strings.Join(parts, " ") + "}"
}
