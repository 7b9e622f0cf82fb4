package instrument

import (
	"fmt"
	"strings"
)

// Args is a command line of run, build or test, split by recipient.
type Args struct {
	Own  []string // antichain's flags with their values, for its own flag parser
	Go   []string // flags for go build or go test
	Rest []string // from the first package on, unread
}

// SplitArgs splits a command line. Antichain's flags have two dashes or are one of -e -o -x -h, the
// first two perhaps with the value in one word; every other flag with one dash is go's. Flags end
// at the first argument that is none, after "--", or before go test's -args. own reports whether
// antichain has a flag of that name, without its dashes, and whether it takes a value.
func SplitArgs(args []string, own func(name string) (known, takesValue bool)) (Args, error) {
	var a Args
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			a.Rest = args[i+1:]
			return a, nil
		}
		if len(arg) < 2 || arg[0] != '-' || arg == "-args" {
			a.Rest = args[i:]
			return a, nil
		}
		list, takesValue := &a.Go, false
		name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		known, wantsValue := own(name)
		switch {
		case isOwn(arg):
			list, takesValue = &a.Own, wantsValue
		case goFlagIn(valueGoFlags, name):
			takesValue = true
		case goFlagIn(boolGoFlags, name):
		case known:
			return a, fmt.Errorf("unknown flag: go has no flag -%s; flags of antichain have two dashes: --%s", name,
				name)
		case arg[1] == 'e' || arg[1] == 'o': // with the value behind it: -oFILE
			list = &a.Own
		case !hasValue:
			return a, fmt.Errorf("unknown flag: neither go (one dash) nor antichain (two dashes) has %s; put flags "+
				"of the program or test binary after the package", arg)
		}
		*list = append(*list, arg)
		if takesValue && !hasValue {
			if i++; i == len(args) {
				return a, fmt.Errorf("flag %s needs a value", arg)
			}
			*list = append(*list, args[i])
		}
	}
	return a, nil
}

// isOwn reports whether a flag is antichain's.
func isOwn(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return true
	}
	name, _, _ := strings.Cut(arg[1:], "=")
	return name == "e" || name == "o" || name == "x" || name == "h"
}

// boolGoFlags are the flags of go build and go test that take no value.
var boolGoFlags = set("a n race msan asan cover v work linkshared modcacherw trimpath buildvcs " +
	"c json failfast short benchmem fullpath artifacts paniconexit0")

// valueGoFlags are the flags that take one.
var valueGoFlags = set("C p asmflags buildmode compiler covermode coverpkg coverprofile gccgoflags gcflags " +
	"installsuffix ldflags mod modfile overlay pgo pkgdir tags toolexec " +
	"debug-actiongraph debug-runtime-trace debug-trace " +
	"bench benchtime blockprofile blockprofilerate count cpu cpuprofile exec fuzz fuzzcachedir fuzzminimizetime " +
	"fuzztime list memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run shuffle " +
	"skip timeout trace vet testlogfile gocoverdir")

// goFlagIn reports whether a set has a flag. The flag may begin with "test.", as in test binaries.
func goFlagIn(flags map[string]bool, name string) bool {
	return flags[strings.TrimPrefix(name, "test.")]
}

// buildGoFlags are the flags that go list and go build share and that affect packages.
var buildGoFlags = set("asmflags buildmode buildvcs compiler gccgoflags gcflags installsuffix ldflags " +
	"linkshared mod modcacherw modfile p pgo pkgdir tags toolexec trimpath")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

type goFlag struct {
	name, value string
	hasValue    bool
	words       []string // as it was written
}

func parseGoFlags(args []string) []goFlag {
	var flags []goFlag
	for i := 0; i < len(args); i++ {
		f := goFlag{words: args[i : i+1]}
		f.name, f.value, f.hasValue = strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !f.hasValue && goFlagIn(valueGoFlags, f.name) && i+1 < len(args) {
			i++
			f.value, f.hasValue, f.words = args[i], true, args[i-1:i+1]
		}
		flags = append(flags, f)
	}
	return flags
}

// WorkingDir returns the directory in which go works with these flags.
func WorkingDir(goFlags []string) (string, error) {
	c := Config{GoFlags: goFlags}
	_, err := c.normalise()
	return c.Dir, err
}

func (f goFlag) isTrue() bool { return !f.hasValue || f.value == "true" || f.value == "1" }

// splitQuoted splits GOFLAGS as go does: at white space, with single or double quotes
// around a whole field.
func splitQuoted(s string) ([]string, error) {
	var fields []string
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if s == "" {
			return fields, nil
		}
		if quote := s[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(s[1:], quote)
			if end < 0 {
				return nil, fmt.Errorf("unterminated %c in GOFLAGS", quote)
			}
			fields = append(fields, s[1:1+end])
			s = s[end+2:]
			continue
		}
		end := strings.IndexAny(s, " \t\r\n")
		if end < 0 {
			end = len(s)
		}
		fields = append(fields, s[:end])
		s = s[end:]
	}
}

// quoteFields is the inverse of splitQuoted.
func quoteFields(fields []string) (string, error) {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case f != "" && !strings.ContainsAny(f, " \t\r\n'\""):
			b.WriteString(f)
		case !strings.Contains(f, "'"):
			b.WriteString("'" + f + "'")
		case !strings.Contains(f, `"`):
			b.WriteString(`"` + f + `"`)
		default:
			return "", fmt.Errorf("%q holds both kinds of quotes, which a go flag cannot", f)
		}
	}
	return b.String(), nil
}
