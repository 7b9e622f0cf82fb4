// Package faults tests monitors of Kafka by doing them harm: they are processes that are killed,
// stopped and replaced, whose brokers go away, and whose records are lost, doubled and scribbled.
// They are an antichain that is built for them, so the tests have a package of their own, beside
// which others are tested.
package faults
