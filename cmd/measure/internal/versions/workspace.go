//go:build unix

package versions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
)

// A workspace has the repository and a temporary directory with the executables that are built
// once, by the go command that runs this program.
type workspace struct {
	root, dir string
	env       []string
	builder   Version   // of that go command; only its minor version counts
	all       []Version // releases that there are
}

// newWorkspace is one in a new directory.
func newWorkspace(ctx context.Context) (*workspace, error) {
	root, err := checkout.Root(ctx)
	if err != nil {
		return nil, err
	}
	version, err := goOutput(ctx, os.Environ(), ".", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	minor, err := minorOf(version)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "versions-")
	return &workspace{root: root, dir: dir, env: withoutKept(os.Environ()), builder: Version{Minor: minor}}, err
}

// withoutKept leaves out the variable of this command: some tests look at every variable that
// begins with ANTICHAIN_.
func withoutKept(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, KeptVariable+"=") })
}

func (w *workspace) remove() error { return os.RemoveAll(w.dir) }

// path is one in the workspace's directory.
func (w *workspace) path(elements ...string) string {
	return filepath.Join(append([]string{w.dir}, elements...)...)
}

// goOutput is what a go command prints.
func goOutput(ctx context.Context, env []string, dir string, args ...string) (string, error) {
	r, err := execute(ctx, env, dir, "go", args...)
	if err != nil {
		return "", err
	}
	if r.code != 0 || r.aborted != nil {
		return "", errors.New(r.details())
	}
	return strings.TrimSpace(r.out), nil
}

// antichain builds the executable, with the go command in this environment, and returns its name.
func (w *workspace) antichain(ctx context.Context, by string, env []string) (string, error) {
	return w.once(ctx, env, "antichain-"+by, "build", "./cmd/antichain")
}

// tests builds the tests of a package and returns the executable's name.
func (w *workspace) tests(ctx context.Context, pkg string) (string, error) {
	return w.once(ctx, w.env, fileName(strings.TrimPrefix(pkg, "./"))+".test", "test", "-c", pkg)
}

// once builds what is not there yet: go VERB… -o NAME PACKAGE.
func (w *workspace) once(ctx context.Context, env []string, name, verb string, args ...string) (string, error) {
	file := w.path("bin", name)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	last := len(args) - 1
	_, err := goOutput(ctx, env, w.root, slices.Concat([]string{verb}, args[:last], []string{"-o", file}, args[last:])...)
	return file, err
}

// goLine is the line of a go.mod that says which version of Go it asks for.
var goLine = regexp.MustCompile(`(?m)^go 1\.(\d+)`)

// asks is the minor version that a go.mod asks for.
func asks(mod string) (int, error) {
	m := goLine.FindStringSubmatch(mod)
	if m == nil {
		return 0, errors.New("go.mod has no line go 1.N")
	}
	return strconv.Atoi(m[1])
}

// A site is a workspace together with one release. Checks get one.
type site struct {
	*workspace
	*release
	env    []string // in which go is that release
	linked []string // the same, outside of the module cache: for checks with many builds
	root   string   // a checkout whose examples that release can build

	executable string // of antichain
}

// site prepares what the checks of a release need. If the repository's go.mod asks for a newer
// version of Go, the site has a copy of the repository with another go.mod. It requires no modules:
// the programs that are traced import the standard library alone.
func (w *workspace) site(ctx context.Context, r *release) (*site, error) {
	s := &site{workspace: w, release: r, env: r.environ(w.env), root: w.root}
	mod, err := os.ReadFile(filepath.Join(w.root, "go.mod"))
	if err != nil {
		return nil, err
	}
	minor, err := asks(string(mod))
	if err != nil {
		return nil, err
	}
	if r.minor < minor {
		s.root = w.path("checkout-" + fileName(r.name))
		if err := w.copyTo(s.root, r.minor); err != nil {
			return nil, err
		}
	}
	if err := s.link(ctx); err != nil {
		return nil, err
	}
	s.executable, err = w.antichain(ctx, "local", w.env)
	return s, err
}

// copyTo copies the repository without what begins with a dot, but with the list of suites, and
// writes a go.mod for this minor version.
func (w *workspace) copyTo(dir string, minor int) error {
	files := os.DirFS(w.root)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != ".":
			return fs.SkipDir
		case !d.Type().IsRegular() || name == "go.mod" || name == "go.sum":
			return nil
		}
		return copyFile(files, name, filepath.Join(dir, name))
	})
	if err != nil {
		return err
	}
	if err := copyFile(files, ".ci/suites.txt", filepath.Join(dir, ".ci/suites.txt")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), fmt.Appendf(nil, "module %s\n\ngo 1.%d\n", checkout.Module, minor), 0o666)
}

func copyFile(files fs.FS, name, to string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// traced runs antichain in the checkout.
func (s *site) traced(ctx context.Context, args ...string) (*commandResult, error) {
	return execute(ctx, s.env, s.root, s.executable, args...)
}

// link makes the environment in which the release lies at a link outside of the module cache,
// always the same one, as antichain itself does: in that cache no file may be replaced. Checks with
// many builds then find the standard library compiled.
func (s *site) link(ctx context.Context) error {
	goroot, err := goOutput(ctx, s.env, s.dir, "env", "GOROOT")
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	link := filepath.Join(cache, "antichain-versions", "goroots", fileName(s.name))
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		return err
	}
	if to, err := os.Readlink(link); err != nil || to != goroot {
		if err := errors.Join(os.RemoveAll(link), os.Symlink(goroot, link)); err != nil {
			return err
		}
	}
	s.linked = environAt(s.env, link)
	return nil
}
