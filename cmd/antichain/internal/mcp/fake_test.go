package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fakes has what the test binary does in place of antichain, by the last argument. It leaves the
// report, unless that is empty.
var fakes = map[string]func() (report string, code int){
	"./holds": func() (string, int) {
		fmt.Println("the program's output")
		fmt.Fprintln(os.Stderr, "antichain: exit code 0 is the program's own")
		return `{"trace":"m","builtin":"deadlock","verdict":"holds"}` + "\n", 0
	},
	"./mixed": func() (string, int) {
		return `{"trace":"m","builtin":"closed","verdict":"violated","how":"observed","text":"a send",` +
			`"parties":[{"at":""},{"at":"m.go:3"}],"again":"antichain run ./m","schedule_file":"/a.schedule"}
{"trace":"m","builtin":"race","verdict":"possible","how":"possible","text":"two writes"}
{"trace":"m","builtin":"stuck","verdict":"violated","known":"since May"}
{"trace":"m","property":"apart","formula":"not t:(in.f)","verdict":"violated",` +
			`"happened":true,"witness":{"tiva":{"t":"main.1"},"places":{"t":"m.go:7"}}}
{"trace":"m","property":"late","verdict":"unknown","covered":"the time is over"}
{"trace":"m","builtin":"panic","verdict":"holds"}
`, 1
	},
	"./many": func() (string, int) {
		var report strings.Builder
		for i := range manyFindings {
			const line = `{"trace":"m","builtin":"stuck","verdict":"violated","text":"%d %s","notes":[%q]}`
			fmt.Fprintf(&report, line+"\n", i+1, strings.Repeat("x", i), strings.Repeat("long ", 20*i))
		}
		fmt.Print(strings.Repeat("\x01<>&", 1<<18))
		fmt.Fprint(os.Stderr, strings.Repeat("words\n", 1<<18), "the conclusion\n")
		return report.String(), 1
	},
	"./broken": func() (string, int) {
		fmt.Fprintln(os.Stderr, "broken/main.go:2:14: undefined: x")
		return "", 2
	},
	"./endless": func() (string, int) {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		mark("started")
		<-interrupted
		mark("interrupted")
		return "", 130
	},
	"stuck": func() (string, int) {
		fmt.Println("stuck: goroutines that wait")
		return "", 0
	},
}

const manyFindings = 300

// mark leaves a file behind.
func mark(name string) {
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		panic(err)
	}
}

const isFake = "ANTICHAIN_MCP_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(isFake) == "" {
		commandtest.TakeInterrupts()
		os.Exit(m.Run())
	}
	args := os.Args[1:]
	if fake := fakes[args[len(args)-1]]; fake != nil {
		report, code := fake()
		for _, arg := range args {
			if name, ok := strings.CutPrefix(arg, "--report=json="); ok && report != "" {
				if err := os.WriteFile(name, []byte(report), 0o600); err != nil {
					panic(err)
				}
			}
		}
		os.Exit(code)
	}
	fmt.Fprintf(os.Stderr, "%q\n", args)
	os.Exit(2)
}

// session is a client's session with a server, whose antichain is the test binary.
type session struct {
	*mcp.ClientSession
	t         *testing.T
	directory string
	served    chan error
}

func connect(t *testing.T, client *mcp.ClientOptions) *session {
	t.Helper()
	t.Setenv(isFake, "yes")
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, directory: t.TempDir(), served: make(chan error, 1)}
	server := &Server{Version: "1", Directory: s.directory, executable: executable}
	ours, theirs := mcp.NewInMemoryTransports()
	go func() { s.served <- server.serve(context.Background(), ours) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, client)
	if s.ClientSession, err = c.Connect(t.Context(), theirs, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// call calls a tool, and returns its text and its structured content.
func (s *session) call(tool string, arguments any) (text string, structured []byte, isError bool) {
	s.t.Helper()
	r, err := s.CallTool(s.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		s.t.Fatal(err)
	}
	var all []string
	for _, c := range r.Content {
		all = append(all, c.(*mcp.TextContent).Text)
	}
	if r.StructuredContent != nil {
		var coded bytes.Buffer
		enc := json.NewEncoder(&coded)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r.StructuredContent); err != nil {
			s.t.Fatal(err)
		}
		structured = coded.Bytes()
	}
	return strings.Join(all, "\n"), structured, r.IsError
}

// result calls a tool that has a Result.
func (s *session) result(tool string, arguments any) (*Result, string) {
	s.t.Helper()
	text, structured, isError := s.call(tool, arguments)
	r := new(Result)
	if err := json.Unmarshal(structured, r); isError || err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return r, text
}

// await waits for a file.
func await(t *testing.T, file string) {
	t.Helper()
	for {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("%s was not written", file)
		}
		time.Sleep(time.Millisecond)
	}
}

func has(all []string, part string) bool {
	return slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, part) })
}
