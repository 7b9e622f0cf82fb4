// Package chrome reads traces in the JSON of Chrome's trace events, which browsers, Perfetto, build
// tools and profilers write: an array of events, or an object with one in its field traceEvents.
//
//	{"ph":"X", "pid":1, "tid":2, "ts":10, "dur":5, "name":"load", "args":{"url":"/cart"}}
//	{"ph":"s", "pid":1, "tid":2, "ts":12, "id":7, "cat":"task", "name":"post"}
//	{"ph":"f", "pid":1, "tid":3, "ts":20, "id":7, "cat":"task", "name":"post", "bp":"e"}
//
// A Reader makes a trace of them:
//
//	r := chrome.NewReader(file, "trace.json", chrome.Options{})
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//
// A track is a task: a thread, which is called what its metadata say, or the asynchronous events
// with one category and id. A slice (B and E, X, b and e) is a function of that name, whose
// variables are the args. An instant (i, n) sets the variable event of its task, and its args.
// Other events, such as counters and samples, are left out.
//
// # Order
//
// The events of a track have the order of their time stamps; of equal ones, that of the file.
// Tracks are ordered by flows alone, not by time. The event at which a flow ends (f), or goes on
// (t), comes after the last one before it at which the flow with this category, name and id began
// (s) or went on. An end without "bp":"e" is the beginning of the next slice on its track; other
// flows at the time at which a slice begins are within it. Slices can also name a flow by bind_id:
// the beginning of one with flow_in comes after that of one with flow_out.
//
// A slice that ends after the one around it ends with that one. An end without a beginning, as
// where recording began late, is left out. Warnings counts both. A flow that ends but has not begun
// before orders nothing, which the caveat of the header says.
package chrome
