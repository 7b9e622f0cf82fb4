// Package jaeger reads the traces of Jaeger: the JSON that its user interface exports and its API
// returns.
//
//	traces, err := jaeger.Read(file, "trace.json", otlp.Limits{})
//	run, err := traces[0].Build(otlp.Options{Sync: true})
//	err = run.Next(&e) // until io.EOF
//
// Read makes spans of OpenTelemetry of them. Package otlp defines the tasks, events and order of
// these.
//
// # Documents
//
// A file has one JSON document or several. Each is
//
//	{"data": [TRACE, …]}         what the user interface exports, and /api/traces returns
//	{"traceID": …, "spans": …}   a single trace
//	{"traceID": …, "spanID": …}  a single span with its process, as Elasticsearch keeps it
//	{"result": …}                what /api/v3/traces returns, with messages of OTLP
//	{"resourceSpans": …}         a message of OTLP
//
// The answers of /api/v3 may stand in one file behind each other, or in an array.
//
// # Spans
//
// A process is a resource: its service is service.name, its tags are attributes. The tags of a span
// are its attributes, and the fields of a log are those of an event, which the field event names,
// or else message. The tag span.kind gives a span its kind; otel.status_code, or error, its status.
// Times are in microseconds.
//
// The first reference of the type CHILD_OF to a span of the same trace is to the parent. All others
// are links: a span begins after those that it FOLLOWS_FROM has begun, which do not wait for it.
//
// Ids have 16 and 8 bytes, with zeros in front where Jaeger leaves them out. Jaeger's own query
// service shifts spans whose clocks differ, unless it runs with
// --query.max-clock-skew-adjustment=0s.
package jaeger
