package tlcheck_test

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// A ring buffer whose put takes no lock: both tasks can be in append, and remove can
// read the element that append is writing.
const faultyBuffer = `{"antichain":1,"tasks":["p","q","g"],"const":{"N":8}}
{"t":"p","global":{"b.first":0,"b.last":0}}
{"t":"p","enter":"append"}
{"t":"p","exit":"append","global":{"b.last":1}}
{"t":"p"}
{"t":"q","enter":"append"}
{"t":"q","exit":"append"}
{"t":"q"}
{"t":"g","after":[["p",3]],"global":{"b.first":0,"b.last":1}}
{"t":"g","enter":"remove"}
{"t":"g","exit":"remove"}
`

// The merge sort of Frey and Schlingloff 1998, §4.7: main splits, e and o sort the even and the odd
// numbers, m merges. What m waits for differs.
const mergesort = `{"antichain":1,"tasks":["main"]}
{"t":"main","enter":"split"}
{"t":"main","exit":"split"}
{"t":"main","spawn":"e"}
{"t":"main","spawn":"o"}
{"t":"main","spawn":"m"}
{"t":"e","enter":"sort","set":{"is_e":true,"input":[4,2]}}
{"t":"e","exit":"sort","set":{"input":[2,4]}}
{"t":"o","enter":"sort","set":{"is_e":false,"input":[ODD,1]}}
{"t":"o","exit":"sort"}
{"t":"m","after":[WAITS]}
{"t":"m","enter":"merge"}
{"t":"m","exit":"merge"}
`

func mergesortOf(odd, waits string) string {
	return strings.NewReplacer("ODD", odd, "WAITS", waits).Replace(mergesort)
}

var (
	goodSort  = mergesortOf("3", `["e",2],["o",2]`)
	hastySort = mergesortOf("3", `["o",2]`)         // does not wait for e
	mixedSort = mergesortOf("6", `["e",2],["o",2]`) // an even number among the odd ones
)

func witnessText(net *san.Net, w *tlcheck.Witness) string {
	if w == nil {
		return ""
	}
	return key(net, w.Slice, w.TIVA)
}

func TestFormulasOfThePapers(t *testing.T) {
	tests := []struct {
		trace, formula string
		witness        string // empty: the property holds; in l3 / in frey96 if they differ
	}{
		// Frey 1996: mutual exclusion of append.
		{santest.RingBuffer, "not( t1:(in.append) and t2:(in.append)) if t1 != t2", ""},
		{faultyBuffer, "not( t1:(in.append) and t2:(in.append)) if t1 != t2", "g:0,p:2,q:1|t1=p,t2=q"},
		// Frey 1996: append and remove on the same element.
		{santest.RingBuffer,
			"not( t1:(in.append and (b.last-b.first)%N<=1) and t2:(in.remove and (b.last-b.first)%N<=1))", ""},
		{faultyBuffer, "not( t1:(in.append and (b.last-b.first)%N<=1) and t2:(in.remove and (b.last-b.first)%N<=1))",
			"g:2,p:3,q:0|t1=p,t2=g"},
		// Frey 1996, figure 8. TIVs are universal, so a t3 that never starts remove violates it …
		{santest.RingBuffer, "t1:(term.append) implies ( t2:(b.data[1]==21) until t3:(start.remove) )",
			"get:0,main:2,put:4|t1=put,t2=main,t3=main"},
		// … and with some t3 only the slices that have remove behind or in them do.
		{santest.RingBuffer, "t1:(term.append) implies ( t2:(b.data[1]==21) until exists t3 (t3:(start.remove)) )",
			"get:3,main:2,put:4|t1=put,t2=main"},

		// Frey and Schlingloff 1998, §4.7: what goes into the two sorts.
		{goodSort, "(t1:((start.sort and is_e) -> even(input)) and t2:((start.sort and not is_e) -> odd(input)))", ""},
		// In frey96 an undefined left side, as for t1 = main, hides the right one.
		{mixedSort, "(t1:((start.sort and is_e) -> even(input)) and t2:((start.sort and not is_e) -> odd(input)))",
			"e:0,main:4,o:1|t1=main,t2=o / e:0,main:4,o:1|t1=o,t2=o"},
		// Some task is through with the even sort before merge starts.
		{goodSort, "(t:(start.split) -> (exists t' (t':(term.sort and is_e)) before t'':(start.merge)))", ""},
		{hastySort, "(t:(start.split) -> (exists t' (t':(term.sort and is_e)) before t'':(start.merge)))",
			"main:1|t''=m,t=main"},
		// As printed t' is universal: the task of the odd sort never is through with the even one.
		{goodSort, "(t:(start.split) -> (t':(term.sort and is_e) before t'':(start.merge)))",
			"main:1|t''=m,t'=main,t=main"},
		// Merging step by step: in the successors of start.merge the merge is done …
		{goodSort, "(t:(start.merge) -> next t:(term.merge))", ""},
		// … but another task may move first.
		{hastySort, "(t:(start.merge) -> all_next t:(term.merge))", "e:0,m:2,main:5,o:2|t=m"},
		{goodSort, "(t:(start.merge) -> all_next t:(term.merge))", ""},
		{goodSort, "(t:(start.split) -> all_next^3 t':(not in.merge))", ""},
		// Both sorts are finished before merge: a fifth property in the same manner.
		{goodSort, "not (t1:(in.merge) and t2:(start.sort or not in.sort)) if t1 != t2 and t2 != caller(t1)", ""},
		{hastySort, "not (t1:(in.merge) and t2:(start.sort)) if t1 != t2", "e:1,m:2,main:5,o:2|t1=m,t2=e"},
	}
	for _, test := range tests {
		net := santest.Read(t, test.trace)
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			r, err := tlcheck.Check(t.Context(), net, property(t, test.formula), tlcheck.Options{Logic: logic})
			if err != nil {
				t.Errorf("%s: %v", test.formula, err)
				continue
			}
			want, other, differ := strings.Cut(test.witness, " / ")
			if differ && logic == lsl.Frey96 {
				want = other
			}
			if got := witnessText(net, r.Witness); got != want || (r.Verdict == tlcheck.Holds) != (want == "") {
				t.Errorf("%v: %s: %v in %q, want %q", logic, test.formula, r.Verdict, got, want)
			}
		}
	}
}
