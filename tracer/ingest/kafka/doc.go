// Package kafka sends traces to topics of Kafka, and reads them for monitors, which share the
// partitions of a topic.
//
//	program ─► Sink ──┐   topic, a run in one    ┌─► Group member: partitions 0 2 4 ─┬─► verdicts
//	program ─► Sink ──┼─► partition by its id ──►┤                                   ├─► dead letters
//	other producers ──┘                          └─► Group member: partitions 1 3    └─► snapshots
//
// It only knows that records belong to runs (package record). A Processor handles them.
package kafka
