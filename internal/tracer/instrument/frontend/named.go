package frontend

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// wanted is a name that has to mean a function of the program.
type wanted struct {
	rewrite.Name
	ways  [][]string // it exists if a function of each name of one of these lists does
	found map[string]bool
}

// checkNamed returns an error for each name that means no function of any package of the program.
// Files are parsed only if a function that is looked for can be there.
func (c *checker) checkNamed(names []rewrite.Name) error {
	var missing []*wanted
	for _, n := range names {
		missing = append(missing, &wanted{n, waysOf(site.PlainFunction(n.Text)), map[string]bool{}})
	}
	for _, l := range slices.Backward(c.Program.Packages) { // the user's come last
		if len(missing) == 0 {
			return nil
		}
		all, err := c.functionsOf(l, func(src []byte) bool {
			return slices.ContainsFunc(missing, func(w *wanted) bool { return w.canBeIn(src) })
		})
		if err != nil {
			return err
		}
		for _, f := range all {
			for _, w := range missing {
				w.note(f)
			}
		}
		missing = slices.DeleteFunc(missing, (*wanted).isMet)
	}
	var errs []error
	for _, w := range missing {
		candidates, err := c.candidates(site.PlainFunction(w.Text))
		if err != nil {
			return err
		}
		errs = append(errs, rewrite.MissingFunction(w.Name, candidates))
	}
	return errors.Join(errs...)
}

// The compiler makes functions of its own for go and defer statements and for the bodies of loops
// over functions, and it names a function literal that it has inlined after both functions.
var (
	wrapper = regexp.MustCompile(`\.(gowrap|deferwrap)[0-9]+$|-range[0-9]+(\.[a-z0-9.]*)?$`)
	literal = regexp.MustCompile(`\.func[0-9]+(\.[0-9]+)*$`)
	number  = regexp.MustCompile(`^(func)?[0-9]*$`)
)

// waysOf returns lists of names: a name means a function if each name of one of the lists does.
func waysOf(name string) [][]string {
	if at := wrapper.FindStringIndex(name); at != nil {
		return [][]string{{name[:at[0]]}}
	}
	ways := [][]string{{name}}
	at := literal.FindStringIndex(name)
	if at == nil {
		return ways
	}
	for i := range at[0] {
		// a package and a function: the literal is one of a function inlined there
		if name[i] == '.' && strings.Contains(name[:i], ".") {
			ways = append(ways, []string{name[:i], name[i+1:at[0]] + ".func1"})
		}
	}
	return ways
}

// canBeIn reports whether a source file may declare a function that is still looked for.
func (w *wanted) canBeIn(src []byte) bool {
	return slices.ContainsFunc(slices.Concat(w.ways...), func(name string) bool {
		parts := strings.Split(name, ".")
		for i := len(parts) - 1; i >= 0; i-- {
			if !number.MatchString(parts[i]) {
				return bytes.Contains(src, []byte(parts[i]))
			}
		}
		return true
	})
}

// note notes a function of the program.
func (w *wanted) note(function string) {
	for _, way := range w.ways {
		for _, name := range way {
			if site.NameMeans(name, function) {
				w.found[name] = true
			}
		}
	}
}

func (w *wanted) isMet() bool {
	return slices.ContainsFunc(w.ways, func(way []string) bool {
		return !slices.ContainsFunc(way, func(name string) bool { return !w.found[name] })
	})
}

// functionsOf returns the functions of a package, with its path, if one of its files passes.
func (c *checker) functionsOf(l *Package, passes func(src []byte) bool) ([]string, error) {
	if strings.HasSuffix(l.ImportPath, ".test") {
		return nil, nil // generated
	}
	names := slices.Concat(l.GoFiles, l.CgoFiles)
	slices.Sort(names)
	wanted := false
	for i, name := range names {
		names[i] = Absolute(l.Dir, name)
		src, err := c.read(names[i])
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // one that only the overlay has
			return nil, err
		}
		wanted = wanted || err == nil && passes(src)
	}
	if !wanted {
		return nil, nil
	}
	pkg := new(rewrite.Package)
	for _, name := range names {
		f, err := c.parse(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		pkg.Files = append(pkg.Files, f)
	}
	var all []string
	for _, name := range rewrite.FunctionNames(pkg) {
		all = append(all, symbolPath(l)+"."+name)
		// a literal outside of functions, whose name depends on the release of Go
		if of, ok := strings.CutPrefix(name, "glob.."); ok {
			all = append(all, symbolPath(l)+".init."+of)
		}
	}
	return all, nil
}

// symbolPath is the path of a package in the names of its functions.
func symbolPath(l *Package) string {
	if l.Name == "main" && l.ForTest == "" {
		return "main"
	}
	return PlainPath(l.ImportPath)
}

// candidates returns the functions whose names resemble a name with a typing mistake, in the user's
// packages and in packages that the name may be from.
func (c *checker) candidates(name string) ([]string, error) {
	dir, rest := path.Split(name)
	qualifier, _, qualified := strings.Cut(rest, ".")
	var all []string
	for _, l := range c.Program.Packages {
		if (!l.isNameable() || c.Locked(l) != "") && !(qualified && l.Name == qualifier) {
			continue
		}
		functions, err := c.functionsOf(l, func([]byte) bool { return true })
		if err != nil {
			return nil, err
		}
		prefix := symbolPath(l)
		for _, f := range functions {
			own := strings.TrimPrefix(f, prefix+".")
			switch {
			case dir != "":
				all = append(all, f)
			case qualified:
				all = append(all, own, path.Base(prefix)+"."+own)
			default:
				all = append(all, own, own[strings.LastIndexByte(own, '.')+1:])
			}
		}
	}
	return all, nil
}
