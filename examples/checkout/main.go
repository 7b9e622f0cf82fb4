// Command checkout prints the spans of a shop, as the file exporter of an OpenTelemetry collector
// would write them to spans.jsonl:
//
//	go run ./examples/checkout > examples/checkout/spans.jsonl
//
// Three services take part in a checkout: the shop has the stock reserve the goods and the payment
// capture the money, in this order. The first of the two traces is from the shop as it was. The
// second one is from a shop that was made faster: it sends both requests at once. There the money
// was captured 3 ms before the goods were reserved. No time stamp shows it, because the clock of
// the payment is 40 ms ahead: charts of both traces show the capture far behind the reservation.
//
//	antichain check --format otlp --otlp-sync --spec examples/checkout/checkout.tl examples/checkout/spans.jsonl
//
// finds it, because the starts of spans and the waiting for responses order the first trace but not
// the second one. To believe the clocks, with --otlp-skew 1ms in place of --otlp-sync, hides it.
package main

import (
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// service is a process that makes spans.
type service struct {
	name   string
	ahead  time.Duration // its clock, of the true time
	traces ptrace.Traces
	spans  ptrace.SpanSlice
}

func newService(name string, ahead time.Duration) *service {
	s := &service{name: name, ahead: ahead, traces: ptrace.NewTraces()}
	resource := s.traces.ResourceSpans().AppendEmpty()
	resource.Resource().Attributes().PutStr("service.name", name)
	resource.Resource().Attributes().PutStr("service.instance.id", name+"-1")
	s.spans = resource.ScopeSpans().AppendEmpty().Spans()
	return s
}

// stamp is what the service's clock shows at that time.
func (s *service) stamp(at time.Duration) pcommon.Timestamp {
	begin := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	return pcommon.NewTimestampFromTime(begin.Add(at + s.ahead))
}

// checkout is a request to the shop.
type checkout struct {
	trace                pcommon.TraceID
	made                 byte // spans so far
	shop, stock, payment *service
}

// span adds a span that lasts that long from that time on.
func (c *checkout) span(s *service, parent pcommon.SpanID, name string, kind ptrace.SpanKind, from, lasts time.Duration) ptrace.Span {
	span := s.spans.AppendEmpty()
	c.made++
	span.SetTraceID(c.trace)
	span.SetSpanID(pcommon.SpanID{0xab, c.trace[3], 7: c.made})
	span.SetParentSpanID(parent)
	span.SetName(name)
	span.SetKind(kind)
	span.SetStartTimestamp(s.stamp(from))
	span.SetEndTimestamp(s.stamp(from + lasts))
	span.Attributes().PutStr("order", "A-17")
	return span
}

// call is a request from the shop to another service, where something happens just before the end.
// It returns when the response is there.
func (c *checkout) call(to *service, parent pcommon.SpanID, name, happens string, at, takes time.Duration) time.Duration {
	const network = 3 * time.Millisecond
	client := c.span(c.shop, parent, name, ptrace.SpanKindClient, at, takes+2*network)
	server := c.span(to, client.SpanID(), name, ptrace.SpanKindServer, at+network, takes)
	event := server.Events().AppendEmpty()
	event.SetName(happens)
	event.SetTimestamp(to.stamp(at + network + takes - time.Millisecond))
	return at + takes + 2*network
}

// run makes the spans of the request.
func (c *checkout) run(at time.Duration, fast bool) {
	root := c.span(c.shop, pcommon.SpanID{}, "POST /checkout", ptrace.SpanKindServer, at, 60*time.Millisecond).SpanID()
	reserve := at + 2*time.Millisecond
	reserved := c.call(c.stock, root, "POST /reserve", "reserved", reserve, 10*time.Millisecond)
	capture := reserved + time.Millisecond
	if fast {
		capture = reserve
	}
	c.call(c.payment, root, "POST /capture", "captured", capture, 7*time.Millisecond)
}

func main() {
	shop, stock, payment := newService("shop", 0), newService("stock", -2*time.Millisecond), newService("payment", 40*time.Millisecond)
	for i, fast := range []bool{false, true} {
		c := checkout{trace: pcommon.TraceID{0xc0, 0xff, 0xee, byte(i + 1), 15: 1}, shop: shop, stock: stock, payment: payment}
		c.run(time.Duration(i)*time.Second, fast)
	}
	// Every service sends a batch of its own, and the parents of these spans come last.
	for _, s := range []*service{payment, stock, shop} {
		line, err := new(ptrace.JSONMarshaler).MarshalTraces(s.traces)
		if err != nil {
			fmt.Fprintln(os.Stderr, "checkout:", err)
			os.Exit(1)
		}
		fmt.Printf("%s\n", line)
	}
}
