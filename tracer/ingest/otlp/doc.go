// Package otlp makes runs of OpenTelemetry spans, from files of the collector's file exporter
// ([Read]) and from the messages of its Kafka exporter ([Decode]).
//
//	traces, err := otlp.Read(file, "spans.jsonl", otlp.Limits{})
//	run, err := traces[0].Build(otlp.Options{Sync: true})
//	err = run.Next(&e) // until io.EOF
//
// All spans with one trace id are one run ([Build]). It is a function of the set of these spans:
// their order, batches and repetitions do not matter. Two different spans with one id are an error.
//
// # A span is a task
//
// Its name is service, name and id of the span, "frontend/GET /cart 00f067aa0ba902b7", with long
// parts cut. A span whose parent is known is created by its parent's task, all others by the task
// env. The first event enters a function with the name of the span, and the last two leave it.
// Between them are the span's own events in the order of their time stamps, which are of one clock:
//
//	{"t":T,"enter":NAME,"global":{resource attributes},"set":{span attributes, otel.…}}
//	{"t":T,"spawn":CHILD}                  one for each child
//	{"t":T,"op":"event","obj":EVENT,"set":{"event.name":EVENT, attributes of the event}}
//	{"t":T,"exit":NAME}
//	{"t":T,"op":"end"}
//
// A span whose end time is 0 has not ended, and has no such last events. A span without a name is
// called unnamed. The specification language quotes names with other characters than those of
// identifiers, of functions and of variables:
//
//	t:(in."GET /cart" and http.request.header."content-type" == "text/plain")
//
// # Variables
//
// An attribute is a variable of the span's frame, so it is visible until the span ends. Those of
// the resource (service.name, host.name, …) and of the instrumentation scope are in the task's own
// scope. Names are not changed. If a key occurs twice the last one counts; an attribute of the span
// hides one of its scope, and that one of its resource. Strings, booleans, integers, floats, arrays
// and maps are values of these kinds, bytes a string in base64, and an empty value null. These are
// added, after the conventions for exporters to other formats than OTLP, unless the span has an
// attribute so named:
//
//	otel.kind                "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER" or "UNSPECIFIED"
//	otel.status_code         "UNSET", "OK" or "ERROR": how the span ended, visible from its start
//	otel.status_description  if there is one
//	otel.scope.name          if there is one, and otel.scope.version
//	event.name               the last event of the span, once there was one
//
// # Order
//
// A parent's start precedes its child's start, and a linked span's start that of the span with the
// link, if both are in the trace. Spans show no other order of the program, so a property may be
// violated in an order that cannot happen. Options add order that is known otherwise:
//
// The header has a caveat if parents, ends or linked spans never came, and if the clock of a
// process has ordered spans of one parent.
//
// [Options.Sync]: parents wait for their children, but not for those of the kinds PRODUCER and
// CONSUMER. A child's end precedes its parent's end. Later actions of the parent come after it,
// too, as far as time stamps of one clock show: its events, and the starts of its other children.
// One clock is one process, and that is one resource: the attributes are equal, and there are some.
// So copies of a service must differ in service.instance.id or the like. A child that ends later
// than its parent by one clock was not waited for.
//
// [Options.Skew]: clocks of different services are compared only if their maximum difference is
// known. A span that ends more than that before another begins precedes it.
//
// Where such order would take many references, a task that is no span collects them, called clock
// or by the parent's name and "returns". It orders nothing else.
//
// Orders that contradict each other are an error that names the spans.
package otlp
