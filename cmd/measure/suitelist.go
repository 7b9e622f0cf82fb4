//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// suite is a test suite of a module.
type suite struct {
	name   string
	module string // with its version; std for the standard library
	flags  []string
	tested string // the packages, one pattern
	cut    string // what the flags leave out, and why; "" if nothing

	mayDiffer []exception
	judged    []judgement
}

// exception is why the results of some tests may differ.
type exception struct {
	tests  *regexp.Regexp
	reason string
}

// std is the module of the suites of the standard library.
const std = "std"

// readSuites reads the list of suites.
func readSuites(path string) ([]suite, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []suite
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if list, err = addSuiteLine(list, lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return list, lines.Err()
}

func addSuiteLine(list []suite, line string) ([]suite, error) {
	words := strings.Fields(line)
	switch {
	case len(words) == 0 || strings.HasPrefix(words[0], "#"):
	case words[0] == "suite" && len(words) >= 4:
		last := len(words) - 1
		list = append(list, suite{name: words[1], module: words[2], flags: words[3:last], tested: words[last]})
	case words[0] == "cut" && len(words) >= 2 && len(list) > 0:
		list[len(list)-1].cut = strings.Join(words[1:], " ")
	case words[0] == "differs" && len(words) >= 4:
		tests, err := regexp.Compile("^(" + words[2] + ")(/|$)")
		if err != nil {
			return nil, err
		}
		s, err := named(list, words[1])
		if err != nil {
			return nil, err
		}
		s.mayDiffer = append(s.mayDiffer, exception{tests, strings.Join(words[3:], " ")})
	case words[0] == "judged" && len(words) >= 5:
		s, err1 := named(list, words[1])
		j, err2 := newJudgement(words[2], words[3], strings.Join(words[4:], " "))
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		s.judged = append(s.judged, j)
	default:
		return nil, errors.New("a line is: suite NAME MODULE FLAGS… PACKAGES, cut REASON, differs NAME PATTERN REASON, or judged NAME PATTERN VERDICT REASON")
	}
	return list, nil
}

// named returns the suite with a name.
func named(list []suite, name string) (*suite, error) {
	for i := range list {
		if list[i].name == name {
			return &list[i], nil
		}
	}
	return nil, fmt.Errorf("there is no suite %s above", name)
}

// exceptionFor returns why the result of a test may differ, "" if it may not.
func (s *suite) exceptionFor(test string) string {
	for _, e := range s.mayDiffer {
		if e.tests.MatchString(test) {
			return e.reason
		}
	}
	return ""
}
