// Package zipkin reads the traces of Zipkin: lists of spans in its JSON, version 2, as its user
// interface exports them, its API returns them and reporters send them.
//
//	traces, err := zipkin.Read(file, "trace.json", otlp.Limits{})
//	run, err := traces[0].Build(otlp.Options{Sync: true})
//	err = run.Next(&e) // until io.EOF
//
// Read makes spans of OpenTelemetry of them. Package otlp defines the tasks, events and order of
// these. A file has spans, lists of spans, or lists of these lists, as /api/v2/traces returns.
//
// # Spans
//
// The local endpoint of a span is its resource: service.name, host.ip and host.port. Its tags are
// its attributes, all of them strings, and the service of the remote endpoint is peer.service. Its
// annotations are its events. A tag error says that it failed. A span without a duration has not
// ended. Times are in microseconds.
//
// # One span, several reports
//
// A client and a server may report one call as one span, which the server calls shared. These are
// two spans here: that of the server is a child of that of the client, and has its id with the
// first bit flipped. The children that the server reports are its own. If the client has reported
// nothing, the span of the server stays as it is.
//
// A service may report a span in parts. They are put together; of two names or values for
// one thing the first one stays, but a span begins at its earliest time and ends at its last one.
package zipkin
