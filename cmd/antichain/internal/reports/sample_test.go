package reports

import "github.com/antichain-go/antichain/tlcheck/report"

// hostile is what a name from a traced program may be.
const hostile = `a,b:c%d]](0){0}"<&>'` + "`|é\u2028%0A::error::"

// sample has accounts of all kinds.
func sample() *Collection {
	deadlock := &report.Account{
		Trace: "example.com/bank", Property: "deadlock", Builtin: true, Verdict: "violated", How: "observed",
		Sentence: "main.1 waits at bank/main.go:23 for to.mu, which main.2 holds",
		Participants: []report.Actor{
			{Task: "main.1", Does: "waits for to.mu", Function: "main.transfer", At: "bank/main.go:23", Calls: []report.Moment{{Task: "main.1", Does: "main.main.func1", At: "bank/main.go:32"}}, Holds: []report.Moment{{Task: "main.1", Does: "holds from.mu", At: "bank/main.go:21"}}},
			{Task: "main.2", Does: "waits for from.mu", Function: "main.transfer", At: "/elsewhere/a b.go:24"},
			{Task: "main", Does: "waits for ever"},
		},
		Steps: []report.Moment{
			{Task: "main", Does: "go main.1", At: "bank/main.go:32"}, {Task: "main.1", Does: "lock from.mu", At: "bank/main.go:21"},
			{Task: "main.2", Does: "lock from.mu", At: "bank/main.go:21"}, {Task: "main.1", Does: "waits for to.mu"},
		},
		Lead:        "It happened in this run.",
		Fingerprint: "00000000000000000000000000000001", Confirmation: "confirmed: it happened in attempt 1",
		Again: "antichain replay bank.schedule ./bank",
		Text:  "deadlock: violated (observed)\n    main.1 waits\n", Object: []byte(`{"builtin":"deadlock"}`),
	}
	deadlock.Also = []report.Account{{
		Trace: "example.com/bank", Property: "stuck", Builtin: true, Verdict: "violated", How: "observed", Sentence: "main waits for ever",
		Participants: []report.Actor{{Task: "main", Does: "waits for ever", At: "bank/main.go:34"}}, Fingerprint: "00000000000000000000000000000002",
	}}
	finding := func(property, verdict, print string) *report.Account {
		return &report.Account{
			Trace: "example.com/bank", Property: property, Builtin: true, Verdict: verdict, How: "predicted", Sentence: "main closes c, which is closed",
			Participants: []report.Actor{{Task: "main", Does: "closes c", At: "bank/main.go:50"}}, Fingerprint: print,
			Text: property + ": " + verdict + "\n    main closes c\n",
		}
	}
	ignored := finding("closed", "violated", "00000000000000000000000000000003")
	ignored.Known = "ignored at bank/main.go:50: it is closed once only"
	baseline := finding("unlock", "violated", "00000000000000000000000000000004")
	baseline.Known = "goes away with issue 12"
	evil := finding("race", "violated", "00000000000000000000000000000005")
	evil.Trace, evil.Sentence = hostile+"\x1b\x00\xff\n", hostile
	evil.Participants = []report.Actor{{Task: hostile, Does: hostile, Function: hostile, At: hostile + ".go:7"}, {Task: hostile, Does: hostile}}
	evil.Steps = []report.Moment{{Task: hostile, Does: hostile, At: hostile + ":8"}}
	evil.Lead = hostile
	evil.Text = hostile + "\n]]>\n"
	formula := func(name, formula, print string) *report.Account {
		return &report.Account{
			Trace: "ring.trace", Property: name, Formula: formula, Verdict: "violated", How: "predicted", Sentence: "t1 is main, at ring.go:7",
			Participants: []report.Actor{{Task: "main", Does: "is t1", At: "ring.go:7"}}, Fingerprint: print, Text: name + ": violated\n",
		}
	}
	return &Collection{Accounts: []*report.Account{
		deadlock,
		finding("stuck", "possible", "00000000000000000000000000000006"),
		ignored, baseline, evil,
		{Trace: "example.com/bank", Property: "panic", Builtin: true, Verdict: "holds"},
		{Trace: "example.com/bank", Property: "waitgroup", Builtin: true, Verdict: "unknown", Covered: "the trace was not read to its end"},
		formula("same_element", "not (t1:(x == {1}))", "00000000000000000000000000000007"),
		formula("-e", "not t:(in.a)", "00000000000000000000000000000008"),
		formula("-e", "not t:(in.b)", "00000000000000000000000000000009"),
		{Trace: "ring.trace", Property: "calm", Formula: "t:(true)", Verdict: "holds", Text: "calm: holds\n"},
		{Trace: "ring.trace", Property: "slow", Formula: "t:(true)", Verdict: "unknown", Covered: "the time was over", Text: "slow: unknown\n"},
	}}
}
