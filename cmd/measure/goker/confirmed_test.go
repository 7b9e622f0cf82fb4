//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/report"
)

func TestPredictions(t *testing.T) {
	p := &prediction{extra: extra{"K", "deadlock", "k.go:1,k.go:2"}, reruns: 10, happened: 3}
	p.add(&report.ConfirmationObject{Confirmed: "confirmed", Attempts: 2})
	p.add(&report.ConfirmationObject{Confirmed: "not confirmed", Attempts: 10, Detail: "step 2 of 4 was not reached"})
	other := &prediction{extra: extra{"K", "closed", "k.go:3"}, reruns: 10}
	other.add(&report.ConfirmationObject{Confirmed: "confirmed", Attempts: 1})
	wrong := &prediction{extra: extra{"K", "closed", "k.go:4"}, reruns: 10}
	wrong.add(&report.ConfirmationObject{Confirmed: "not confirmed", Attempts: 10})
	judged := map[extra]verdict{p.extra: {right: true}, other.extra: {right: true}, wrong.extra: {right: false}}
	var b strings.Builder
	writePredictions(&b, "Predictions", []*prediction{wrong, p, other}, []string{"K: run 3: killed"}, judged)
	for _, want := range []string{
		"k.go:1,k.go:2  yes   1/2        12        3/10\n",
		"k.go:4         no    0/1        10        0/10\n",
		"true predictions: 2, 3 times in all; confirmed within 10 attempts: 2 times (67 %), 15 % of the attempts, 54 % on average of the predictions; one of 10 plain reruns shows 1 (50 %), 15 % of the reruns; never confirmed: 0\n",
		"of deadlocks: 1, 2 times in all; confirmed within 10 attempts: 1 times (50 %), 8 % of the attempts, 8 % on average of the predictions;",
		"K deadlock k.go:1,k.go:2: not confirmed in 10 attempts: step 2 of 4 was not reached\n",
		"K: run 3: killed\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// What was predicted is observed where the same goroutines wait, be it called a deadlock or stuck.
func TestPredictionIsObserved(t *testing.T) {
	p := &prediction{extra: extra{"K", "deadlock", "k.go:1,k.go:2"}}
	at := func(property string, happened bool, places ...string) *report.BuiltinObject {
		f := &report.FindingObject{Happened: happened}
		for _, place := range places {
			f.Parties = append(f.Parties, report.PartyObject{PlacedObject: report.PlacedObject{At: place}})
		}
		return &report.BuiltinObject{Builtin: property, FindingObject: f}
	}
	for _, test := range []struct {
		found *report.BuiltinObject
		want  bool
	}{
		{at("deadlock", true, "a/k.go:2", "a/k.go:1"), true},
		{at("stuck", true, "k.go:1", "k.go:2"), true},
		{at("deadlock", false, "k.go:1", "k.go:2"), false},
		{at("deadlock", true, "k.go:1", "k.go:3"), false},
		{at("closed", true, "k.go:1", "k.go:2"), false},
	} {
		if got := p.isObserved(test.found); got != test.want {
			t.Errorf("%s at %v, happened %t: %t", test.found.Builtin, test.found.Parties, test.found.Happened, got)
		}
	}
}
