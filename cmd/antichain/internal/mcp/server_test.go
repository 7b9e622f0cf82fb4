package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Arguments become flags; what is a name cannot become one.
func TestCommandLines(t *testing.T) {
	s := connect(t, nil)
	for _, tt := range []struct {
		tool      string
		arguments string
		want      string // a part of the text
	}{
		{"run", `{"package":"./m","args":["-v","--json"],"builtin":"deadlock","spec":["a b.tl"],"formulas":["true"],` +
			`"explore":5,"go_flags":["-race"],"end_after":"3s","timeout":"1s"}`,
			"antichain run --end-after=3s --builtin=deadlock '--spec=a b.tl' --expr=true --timeout=1s --explore=5 " +
				"-race ./m -v --json ended"},
		{"run", `{"package":"./m","confirm":true,"predict":"locks","for":"2s","seed":7,"yields":9}`,
			"antichain run --end-after=1m --predict=locks --confirm --for=2s --seed=7 --yields=9 ./m ended"},
		{"test", `{"run":"^TestA$"}`, "antichain test '-run=^TestA$' ./... ended"},
		{"test", `{"packages":["./a","./b"],"go_flags":["-count=2"]}`, "antichain test -count=2 ./a ./b ended"},
		{"verify", `{"schedule":"a.schedule","package":"./m","run":"TestA"}`,
			"antichain verify --json -run=TestA a.schedule ./m ended"},
		{"run", `{"package":"--live"}`, `package: "--live" is no name`},
		{"run", `{"package":""}`, `package: "" is no name`},
		{"test", `{"packages":["-toolexec=x"]}`, `packages: "-toolexec=x" is no name`},
		{"verify", `{"schedule":"-o","package":"./m"}`, `schedule: "-o" is no name`},
		{"run", `{"package":"./m","go_flags":["--report=json=x"]}`,
			`go_flags: "--report=json=x" is no flag of the go command: write -NAME=VALUE`},
		{"run", `{"package":"./m","go_flags":["./other"]}`, `go_flags: "./other" is no flag of the go command`},
		{"run", `{}`, "package"},
		{"run", `{"package":7}`, "package"},
		{"run", `{"package":"./m","colour":"red"}`, "colour"},
		{"replay", `{"schedule":"none.schedule","package":"./m"}`,
			"none.schedule: no such file or directory; list_schedules names those that there are"},
		{"explain", `{"finding":1}`, "there is no finding 1: the last run, test or replay has 0 findings"},
		{"explain", `{"property":"stuck","offset":1000}`, "offset 1000: the text has 28 bytes"},
		{"list_schedules", `{"directory":"missing"}`, "missing: no such file or directory"},
		{"run", `{"package":"./broken"}`, "broken/main.go:2:14: undefined: x\n" +
			"antichain run --end-after=1m ./broken ended with exit code 2 in " + s.directory},
	} {
		text, _, isError := s.call(tt.tool, json.RawMessage(tt.arguments))
		if !isError || !strings.Contains(text, tt.want) {
			t.Errorf("%s %s: error %v: %s\nwant: %s", tt.tool, tt.arguments, isError, text, tt.want)
		}
	}
	_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "attach"})
	if err == nil || !strings.Contains(err.Error(), `unknown tool "attach"`) {
		t.Errorf("an unknown tool: %v", err)
	}
}

// A result has the verdict, and the findings with their places and commands.
func TestResult(t *testing.T) {
	s := connect(t, nil)
	got, text := s.result("run", runArguments{Package: "./holds"})
	want := &Result{Command: "antichain run --end-after=1m ./holds", Verdict: "holds", Holding: 1,
		Findings:   []Finding{},
		Conclusion: "antichain: exit code 0 is the program's own", Output: "the program's output\n"}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Finding{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if !strings.Contains(text, want.Output) || !strings.Contains(text, want.Conclusion) {
		t.Errorf("the text is %s", text)
	}
	got, _ = s.result("test", testArguments{Packages: []string{"./mixed"}})
	for i := range got.Findings {
		if f := &got.Findings[i]; f.Object == nil {
			t.Errorf("finding %d has no object", f.Number)
		} else {
			f.Object = nil
		}
	}
	want = &Result{Command: "antichain test ./mixed", Verdict: "violated", ExitCode: 1, Holding: 1, Known: 1,
		Unknown: []string{"late in m: the time is over"}, Findings: []Finding{
			{Number: 1, Run: "m", Property: "closed", Verdict: "violated", How: "observed", Place: "m.go:3",
				Text: "a send", Again: "antichain run ./m", Schedule: "/a.schedule"},
			{Number: 2, Run: "m", Property: "race", Verdict: "possible", How: "possible", Text: "two writes"},
			{Number: 3, Run: "m", Property: "apart", Verdict: "violated", How: "observed", Place: "m.go:7",
				Text: "not t:(in.f); t is main.1 at m.go:7"},
		}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Finding{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	text, _, _ = s.call("explain", explainArguments{Finding: 3})
	if !strings.Contains(text, `"formula": "not t:(in.f)"`) {
		t.Errorf("the finding is explained by %s", text)
	}
}

// However much there is, an answer is bounded, and says how to get the rest.
func TestBounds(t *testing.T) {
	s := connect(t, nil)
	text, structured, _ := s.call("run", runArguments{Package: "./many"})
	if len(text) > maxText || len(structured) > maxStructured {
		t.Errorf("%d bytes of text and %d of structured content", len(text), len(structured))
	}
	r := new(Result)
	if err := json.Unmarshal(structured, r); err != nil {
		t.Fatal(err)
	}
	if n := len(r.Findings); n == 0 || n == manyFindings || r.Conclusion != "the conclusion" {
		t.Errorf("%d findings, and the conclusion %q", n, r.Conclusion)
	}
	for _, part := range []string{
		fmt.Sprintf("findings %d to %d; explain", len(r.Findings)+1, manyFindings), "the objects of findings ",
		"bytes of the report in words; the command", "bytes of the output; the command",
	} {
		if !has(r.LeftOut, part) || !strings.Contains(text, part) {
			t.Errorf("nothing says %q: %q", part, r.LeftOut)
		}
	}
	whole := ""
	for {
		part, _, isError := s.call("explain", explainArguments{Finding: manyFindings, Offset: len(whole)})
		if isError || len(part) > maxText {
			t.Fatalf("%d bytes: %s", len(part), part)
		}
		part, _, goesOn := strings.Cut(part, "\n… ")
		if whole += part; !goesOn {
			break
		}
	}
	notes := strings.Repeat("long ", 20*(manyFindings-1))
	if !strings.Contains(whole, notes) || !strings.HasSuffix(whole, "goroutines that wait\n") {
		t.Errorf("explain has %d bytes in all", len(whole))
	}
}

// A client that cancels a call, or goes away, interrupts the run.
func TestCancel(t *testing.T) {
	s := connect(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan error)
	go func() {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: runArguments{Package: "./endless"}})
		called <- err
	}()
	await(t, filepath.Join(s.directory, "started"))
	cancel()
	if err := <-called; err == nil {
		t.Error("a call that was cancelled has a result")
	}
	await(t, filepath.Join(s.directory, "interrupted"))
	if r, _ := s.result("run", runArguments{Package: "./holds"}); r.Verdict != "holds" {
		t.Errorf("afterwards the verdict is %s", r.Verdict)
	}
}

// A client that goes away interrupts the run, and the server ends after it.
func TestGone(t *testing.T) {
	t.Setenv(isFake, "yes")
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := &Server{Directory: t.TempDir(), executable: executable}
	in, client := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- server.serve(context.Background(), &mcp.IOTransport{Reader: in, Writer: keepOpen{io.Discard}})
	}()
	io.WriteString(client, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"package":"./endless"}}}
`)
	await(t, filepath.Join(server.Directory, "started"))
	client.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(server.Directory, "interrupted")); err != nil {
		t.Errorf("the server has ended, and the run was not interrupted: %v", err)
	}
}

// A client that asks for progress hears of it.
func TestProgress(t *testing.T) {
	heard := make(chan *mcp.ProgressNotificationParams, 100)
	s := connect(t, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			heard <- req.Params
		},
	})
	p := &mcp.CallToolParams{Name: "run", Arguments: runArguments{Package: "./endless"}}
	p.SetProgressToken("mine")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go s.CallTool(ctx, p)
	const command = "antichain run --end-after=1m ./endless"
	if got := <-heard; got.ProgressToken != "mine" || !strings.HasPrefix(got.Message, command) {
		t.Errorf("progress %v", got)
	}
}
