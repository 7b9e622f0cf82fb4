package scripts

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/paralleltest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	paralleltest.PerProcessor(2)
	commandtest.TakeInterrupts()
	commandtest.RelaxGarbage()
	os.Exit(m.Run())
}

// TestScripts runs testdata/*.txtar: one file for each topic, its header comment is the script.
// UPDATE_SCRIPTS=1 writes what commands print into the files that they compare it with.
func TestScripts(t *testing.T) {
	requireScripts(t, "testdata")
	dir := t.TempDir()
	if err := commandtest.Build(dir); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		WorkdirRoot:         commandtest.Directory(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               goSetup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"peers":      peers,
			"keep":       keep,
			"broker":     broker,
			"received":   received,
			"produce":    produce,
			"letters":    letters,
			"sections":   sections,
			"twins":      twins,
			"visit":      visit,
			"attributed": attributed,
			"fails":      fails,
		},
	})
}

// longTests is the environment variable that asks for tests that take long.
const longTests = "ANTICHAIN_LONG"

// condition is what a script asks in brackets: [long] is for what takes long and has a sample
// elsewhere. .ci/long runs it. [mounts] is whether file systems can be mounted.
func condition(name string) (bool, error) {
	switch name {
	case "long":
		return os.Getenv(longTests) != "", nil
	case "mounts":
		return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
	}
	return false, fmt.Errorf("no condition %s", name)
}

// exits is the script command "exits CODE PROGRAM ARGS…": the program must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// keep is the script command "keep NAME REGEXP": the group of the expression in the last standard
// error becomes the variable NAME.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME REGEXP")
	}
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stderr"))
	if len(m) != 2 {
		ts.Fatalf("nothing to keep: no match of %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// withoutDebugInfo is GOFLAGS of the commands that build traced programs: no script debugs one, and
// linking takes half the time.
const withoutDebugInfo = "-ldflags=-w"

// goDirectories are the directories of the go command, by the names of their variables.
var goDirectories = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	var values map[string]string
	err = json.Unmarshal(out, &values)
	return values, err
})

// goSetup lets the go command work in a script: with the user's caches, without a network.
func goSetup(env *testscript.Env) error {
	directories, err := goDirectories()
	if err != nil {
		return err
	}
	for name, value := range directories {
		env.Setenv(name, value)
	}
	repo, err := commandtest.Repository()
	if err != nil {
		return err
	}
	env.Setenv("REPO", repo)
	if cache, err := os.UserCacheDir(); err == nil { // else antichain tests each toolchain anew
		env.Setenv("XDG_CACHE_HOME", cache)
	}
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOFLAGS", withoutDebugInfo)
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOGC", os.Getenv("GOGC")) // see TestMain
	return nil
}

// requireScripts fails unless dir holds scripts, and nothing else:
// a test file that no test reads is worse than none.
func requireScripts(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	for _, e := range entries {
		if ok, _ := filepath.Match("*.txtar", e.Name()); !ok || e.IsDir() {
			t.Errorf("%s/%s is not run by any test: its name does not end in .txtar", dir, e.Name())
		}
	}
}
