package instrument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ownFlag is the flag table of a verb, as far as these tests need it.
func ownFlag(name string) (known, takesValue bool) {
	switch name {
	case "e", "o", "expr", "spec", "func", "shared":
		return true, true
	case "json", "steps":
		return true, false
	}
	return false, false
}

func TestSplitArgs(t *testing.T) {
	for _, tt := range []struct {
		args           string
		own, gof, rest string
		err            string
	}{
		{args: "-run X -count 2 -timeout 1m ./...", gof: "-run X -count 2 -timeout 1m", rest: "./..."},
		{args: ". -- -o --json", rest: ". -- -o --json"},
		{args: "-- . -o", rest: ". -o"},
		{args: "", rest: ""},
		{args: "--spec a.tl -e F -tags x,y -race ./p -e G --spec", own: "--spec a.tl -e F", gof: "-tags x,y -race",
			rest: "./p -e G --spec"},
		{args: "--spec=a.tl -tags=x --steps -v -json --json ./p", own: "--spec=a.tl --steps --json",
			gof: "-tags=x -v -json", rest: "./p"},
		{args: "-x -h -o out -p 4 -C dir .", own: "-x -h -o out", gof: "-p 4 -C dir", rest: "."},
		{args: "-ldflags -s main.go", gof: "-ldflags -s", rest: "main.go"},
		{args: "-run -- ./p", gof: "-run --", rest: "./p"},
		{args: "- ./p", rest: "- ./p"},
		{args: "-cover=false -buildvcs .", gof: "-cover=false -buildvcs", rest: "."},
		{args: "-test.run X -test.v -bench . -short ./p", gof: "-test.run X -test.v -bench . -short", rest: "./p"},
		{args: "-update=true ./p", gof: "-update=true", rest: "./p"},
		{args: "-v -args -update x", gof: "-v", rest: "-args -update x"},
		{args: "-foo -e F .", err: "unknown flag: neither go (one dash) nor antichain (two dashes) has -foo"},
		{args: "-v -update ./p", err: "unknown flag: neither go (one dash) nor antichain (two dashes) has -update"},
		{args: "-spec a.tl .", err: "unknown flag: go has no flag -spec; flags of antichain have two dashes: --spec"},
		{args: "-expr=F .", err: "flags of antichain have two dashes: --expr"},
		{args: "-et:(x==1) -ofoo -exec=y -outputdir d .", own: "-et:(x==1) -ofoo", gof: "-exec=y -outputdir d",
			rest: "."},
		{args: "-run", gof: "-run", err: "-run needs a value"},
		{args: "--spec", own: "--spec", err: "--spec needs a value"},
	} {
		got, err := SplitArgs(strings.Fields(tt.args), ownFlag)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("SplitArgs(%s): error %v, want %q", tt.args, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("SplitArgs(%s): %v", tt.args, err)
			continue
		}
		join := func(s []string) string { return strings.Join(s, " ") }
		want := [3]string{tt.own, tt.gof, tt.rest}
		if d := cmp.Diff(want, [3]string{join(got.Own), join(got.Go), join(got.Rest)}); d != "" {
			t.Errorf("SplitArgs(%s): own, go, rest (-want +got):\n%s", tt.args, d)
		}
	}
}

func TestQuotedFieldsRoundTrip(t *testing.T) {
	for _, fields := range [][]string{
		{"a"}, {"/path with space/antichain", "exec-test", "--x=it's"}, {""}, {`say "x"`, "b"}, nil,
	} {
		text, err := quoteFields(fields)
		if err != nil {
			t.Fatal(err)
		}
		got, err := splitQuoted(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(fields, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	if _, err := quoteFields([]string{`'"`}); err == nil {
		t.Error("both quotes accepted")
	}
	if _, err := splitQuoted(`-a 'b`); err == nil {
		t.Error("unterminated quote accepted")
	}
}

func TestParseGoFlags(t *testing.T) {
	flags := parseGoFlags([]string{"-tags", "a b", "-race=false", "--overlay=o.json", "-v", "-msan"})
	var got []string
	for _, f := range flags {
		got = append(got, f.name+":"+f.value)
		if on := f.name == "v" || f.name == "msan"; f.name != "tags" && f.name != "overlay" && f.isTrue() != on {
			t.Errorf("%s: isTrue %v", f.name, !on)
		}
	}
	if d := cmp.Diff([]string{"tags:a b", "race:false", "overlay:o.json", "v:", "msan:"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
