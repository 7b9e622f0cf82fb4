package goroot

import (
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// testGoroot names the GOROOT of the toolchain that the tests build their programs with; the
// default is that of the go command. So a toolchain that is too old for this module's tests can be
// tested, too.
const testGoroot = "ANTICHAIN_GOROOT"

// longEnv asks for the tests that take minutes. Its value may be a list of packages.
const longEnv = "ANTICHAIN_LONG"

// The builds of these tests share one overlay: the standard library is compiled once and then comes
// from the build cache.
var tmp = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "goroot-test") })

func TestMain(m *testing.M) {
	if err := useToolchain(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Tests that generate overlays of many libraries would collect garbage for a fifth of their
	// time. The programs that others build collect it as usual.
	debug.SetGCPercent(400)
	code := m.Run()
	if dir, err := tmp(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// useToolchain makes "go" the toolchain under test. One that lies in the module cache, where no
// file may be replaced, is used through a symbolic link, always the same one: the build cache knows
// it again.
func useToolchain() error {
	root, modCache := os.Getenv(testGoroot), goEnv("GOMODCACHE")
	os.Unsetenv(testGoroot) // programs are to see no such variables
	if root == "" {
		if root = goroot(); !within(modCache, root) {
			return nil
		}
	}
	if within(modCache, root) {
		link := filepath.Join(os.TempDir(), "antichain-test-toolchains", filepath.Base(root))
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			return err
		}
		if err := os.Symlink(root, link); err != nil && !os.IsExist(err) {
			return err
		}
		if to, err := os.Readlink(link); err != nil || to != root {
			return fmt.Errorf("%s is not the link to %s that it should be: remove it", link, root)
		}
		root = link
	}
	os.Setenv("GOROOT", root)
	os.Setenv("GOTOOLCHAIN", "local")
	os.Setenv("PATH", filepath.Join(root, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return useModule(root)
}

// useModule has programs of testdata, which import the standard library only, be built by a
// toolchain that is too old for go.mod.
func useModule(root string) error {
	release := ReleaseOf(root)
	if exec.Command("go", "list", ".").Run() == nil {
		return nil
	}
	dir, err := tmp()
	if err != nil {
		return err
	}
	mod := fmt.Sprintf("module github.com/antichain-go/antichain\n\ngo 1.%d\n", release.Minor)
	name := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(name, []byte(mod), 0o600); err != nil {
		return err
	}
	return os.Setenv("GOFLAGS", strings.TrimSpace(goEnv("GOFLAGS")+" -modfile="+name))
}

func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		panic(err) // there is no test without a go command
	}
	return strings.TrimSpace(string(out))
}

func goroot() string { return goEnv("GOROOT") }

// toolchains are Go trees that are here, by their names: that of the go command and, of each minor
// release, the newest one that it has downloaded; with ANTICHAIN_LONG all, with -short the first
// one only.
var toolchains = sync.OnceValue(func() map[string]string {
	all := map[string]string{ReleaseOf(goroot()).Name: goroot()}
	if testing.Short() {
		return all
	}
	found, _ := filepath.Glob(filepath.Join(goEnv("GOMODCACHE"), "golang.org", "toolchain@*."+runtime.GOOS+"-"+
		runtime.GOARCH))
	newest := map[int]string{} // by minor version
	for _, root := range found {
		r := ReleaseOf(root)
		if all[r.Name] != "" || !r.IsKnown() {
			continue
		}
		if os.Getenv(longEnv) != "" {
			all[r.Name] = root
		} else if old := newest[r.Minor]; old == "" || version.Compare(ReleaseOf(old).Name, r.Name) < 0 {
			newest[r.Minor] = root
		}
	}
	for _, root := range newest {
		all[ReleaseOf(root).Name] = root
	}
	return all
})
