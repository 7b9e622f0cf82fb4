package gcl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// firstLine returns the message of an error without the excerpt below it.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// mistaken returns the mistake in a program.
func mistaken(t *testing.T, text string) error {
	t.Helper()
	f, err := gcl.Parse("p.gcl", text)
	if err == nil {
		_, err = gcl.New(f, nil)
	}
	if mistake := (*source.Error)(nil); !errors.As(err, &mistake) {
		t.Fatalf("%s: %v", text, err)
	}
	return err
}

func TestMistakes(t *testing.T) {
	const p = "process P L : "
	for text, want := range map[string]string{
		// The text
		"#":                             `p.gcl:1:1: "#" is not part of the language (comments start with //)`,
		"\xff":                          `p.gcl:1:1: this byte is not UTF-8`,
		"proces P":                      `p.gcl:1:1: found "proces"; expected "process", "declare", "initially", "output", "param" or "for" (did you mean "process"?)`,
		"":                              `p.gcl:1:1: the program has no process`,
		"declare x : 0..1;":             `p.gcl:1:13: found "0"; expected "[" and the range of the variable, as [0..1]`,
		"declare x : [0..1]":            `p.gcl:1:19: found the end of the program; expected ";" behind the declaration`,
		"for i in 1..2 declare":         `p.gcl:1:15: found "declare"; expected "process" behind the range of "for"`,
		"process P begin x = 1;":        `p.gcl:1:19: "=" compares; expected ":=" (assignments are written with :=)`,
		"process P begin skip skip end": `p.gcl:1:22: found "skip"; expected "end" behind the statements, or ";" and another one`,
		"process P begin goto L end":    `p.gcl:1:22: structured statements have no labels to go to (use while and if, or label all commands of the process)`,
		"process P wait 1=1=1":          `p.gcl:1:19: comparisons do not chain (write "a < b and b < c")`,
		"process P wait 99999999999=1":  `p.gcl:1:16: "99999999999" is not a number of at most 2147483648`,
		"process P wait 1x=1":           `p.gcl:1:16: "1x" is not a number of at most 2147483648`,
		"process P wait " + strings.Repeat("(", 1001): `p.gcl:1:1015: this is nested deeper than 1000 levels (divide it)`,
		"process P while true " +
			"x": `p.gcl:1:22: found "x"; expected "do" behind the condition of the loop`,
		p + "if true skip; skip; end": `p.gcl:1:29: only the first step would belong to the "if"; expected a label, "if" or "|" (put the steps of the "if" into braces)`,
		p + "goto L; skip; end":       `p.gcl:1:20: the steps behind this goto would never be taken (put the goto last)`,
		p + "{ } end":                 `p.gcl:1:17: found "}"; expected a step: an assignment, an exchange, "skip" or "goto"`,
		p + "skip; else":              `p.gcl:1:21: found "else"; expected a label, or "end" behind the last command`,

		// Names
		p + "goto M; end":         `p.gcl:1:20: there is no label M (did you mean L?)`,
		p + "skip; L : skip; end": `p.gcl:1:21: there is a label L already; expected another name`,
		p + "x := 1; end":         `p.gcl:1:15: there is no variable x (declare it with its range, as [0..1])`,
		"declare turn : [0..1]; " + p +
			"turm := 1; end": `p.gcl:1:38: there is no variable turm (did you mean turn?)`,
		"declare x : [0..1]; x : [0..1]; " + p +
			"skip; end": `p.gcl:1:21: x has been declared already; expected another name`,
		"param x = 1; declare x : [0..1]; " + p +
			"skip; end": `p.gcl:1:22: x has been declared already; expected another name`,
		"param x = 1; param x = 1;":                                 `p.gcl:1:20: there is a parameter x already; expected another name`,
		"for i in 1..2 process P L : skip; end":                     `p.gcl:1:23: there is a process P already; expected another name`,
		"for i in 0..1 process P[i-1] L : skip; end":                `p.gcl:1:23: the index of P is -1; expected one that is not negative`,
		"declare x : [0..1]; for i in 1..x process P L : skip; end": `p.gcl:1:33: x is no constant; expected a number, a parameter or the variable of a "for"`,
		"for i in 1..2 process P[i] for i in 1..2 L : skip; end":    `p.gcl:1:32: i has a value already; expected another name`,
		"for i in 1..2000000 process P[i] L : skip; end":            `p.gcl:1:5: written out, the program has more than 262144 parts (make it, or the ranges of "for", smaller)`,
		"output x; process P wait x = 1":                            `p.gcl:1:26: x is an output, which cannot be read (declare it with a range)`,
		"output x; declare y : [0..1]; process P x :=: y":           `p.gcl:1:41: x is an output, which cannot be read (declare it with a range)`,

		// Numbers
		"declare x : [1..0];" + p +
			"skip; end": `p.gcl:1:14: the range [1..0] is empty (the lower bound stands first)`,
		"declare x : [0..1]; initially x = 2;" + p +
			"skip; end": `p.gcl:1:35: 2 is outside of the range [0..1] of x`,
		"declare x : [0..1]; initially x = 0; x = 1;" + p +
			"skip; end": `p.gcl:1:38: x has an initial value already (leave one of them out)`,
		"process P wait 1":                                      `p.gcl:1:16: this is a number; expected a condition (compare it with another number)`,
		"declare x : [0..1]; process P x := true":               `p.gcl:1:36: this is a condition; expected a number`,
		"declare x : [0..1]; process P wait 1 / x = 1":          `p.gcl:1:40: x is no constant; expected a number, a parameter or the variable of a "for"`,
		"process P wait 1 % 0 = 1":                              `p.gcl:1:20: the divisor is 0; expected a positive one`,
		"process P wait 2147483648 + 1 = 1":                     `p.gcl:1:27: the result is 2147483649; expected a number between -2147483648 and 2147483648`,
		"declare x : [0..2147483648]; process P wait x + 1 = 1": `p.gcl:1:47: the result may be as large as 2147483649; expected at most 2147483648`,
		"declare x : [0..2147483648]; process P wait x * x = 1": `p.gcl:1:47: the result may be as large as 4611686018427387904; expected at most 2147483648`,
	} {
		if got := firstLine(mistaken(t, text)); got != want {
			t.Errorf("%.60s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	_, err := gcl.Parse("p.gcl", strings.Repeat(" ", gcl.MaxSource+1))
	if err == nil || firstLine(err) != "p.gcl:1:1: the program has 1048577 bytes, more than the limit of 1048576" {
		t.Error(err)
	}
}

func TestParameters(t *testing.T) {
	f := parse(t, "x1.gcl")
	for text, parameters := range map[string]map[string]int64{
		"x1.gcl has no parameter m: it has n": {"n": 2, "o": 1, "m": 3},
		"x1.gcl:4:7: the parameter is 3000000000; expected a number between -2147483648 and 2147483648": {"n": 3_000_000_000},
	} {
		if _, err := gcl.New(f, parameters); err == nil || firstLine(err) != text {
			t.Error(err)
		}
	}
	s := load(t, "x1.gcl", parameters(3))
	if got := s.Parameters(); len(got) != 1 || got[0] != (gcl.Parameter{Name: "n", Value: 3}) {
		t.Error(got)
	}
	const want = `peterson.gcl has no parameter n, nor any other: write "param n = 2;" at its beginning`
	if _, err := gcl.New(parse(t, "peterson.gcl"), parameters(3)); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// TestDivisors: each is worked out once, however deep it is.
func TestDivisors(t *testing.T) {
	f, err := gcl.Parse("p.gcl", "declare x : [0..9]; process P x := "+strings.Repeat("9 / (",
		900)+"4"+strings.Repeat(")", 900))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gcl.New(f, nil); err != nil {
		t.Error(err)
	}
}

// A variable that leaves its range is an error with the statement and the state.
func TestOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		"declare x : [0..2]; process P\n begin x := x + 1; x := 2 * x; {skip; x := x + 1} end": "p.gcl:2:39: P: x := x + 1 would make x 3, " +
			"outside of its range [0..2], in state 2: P.at=m2 x=2 (declare a larger range, or put a condition in front)",
		"declare x : [0..2]; y : [-1..0]; initially x = 1; process P L : y :=: x; end": "p.gcl:1:65: P: y :=: x would make y 1, " +
			"outside of its range [-1..0], in state 0: P.at=L x=1 y=0 (declare a larger range, or put a condition in front)",
		"declare x : [0..2]; y : [-1..0]; initially y = -1; process P L : x :=: y; end": "p.gcl:1:66: P: x :=: y would make x -1, " +
			"outside of its range [0..2], in state 0: P.at=L x=0 y=-1 (declare a larger range, or put a condition in front)",
		"declare x : [0..2]; y : [-1..0]; initially y = -1; process P L : y :=: x; end": "p.gcl:1:66: P: y :=: x would make x -1, " +
			"outside of its range [0..2], in state 0: P.at=L x=0 y=-1 (declare a larger range, or put a condition in front)",
	} {
		f, err := gcl.Parse("p.gcl", text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := gcl.New(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = kripke.Explore(t.Context(), s); err == nil || firstLine(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
