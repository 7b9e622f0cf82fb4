// Package wire speaks the Kafka protocol where github.com/segmentio/kafka-go cannot. It has the few
// requests that a client of topics, partitions and groups needs: kafka-go lacks some, misreads
// others, and bounds none. Connections are kafka-go's; its Transport finds the broker for each
// request. The package knows nothing of runs and traces.
//
// Each part replaces a part of kafka-go v0.4.51:
//
//   - screen, and a request type for all requests: kafka-go's package protocol allocates as many
//     elements as an answer claims, so an answer of 12 bytes ends the process with "out of memory".
//     It still decodes the answers to Transport's own requests (ApiVersions, Metadata,
//     FindCoordinator), after a screen has checked them.
//   - Decoder: Client.Fetch, Reader and Conn.ReadBatch decompress a batch without a limit (34 KB
//     became 300 MiB), and return records of aborted transactions (kafka-go#1332). They also read
//     at 0.4 to 0.8 of the speed of this decoder when records are small, and Reader stops forever
//     at holes of compacted topics (kafka-go#1416).
//   - Encoder: kafka-go writes batches without a producer id, so brokers cannot drop a batch that
//     is sent twice (kafka-go#797).
//   - Writer: kafka-go's has attempts without a deadline, so its Close may hang (kafka-go#1312),
//     and a request for each partition, with half of the rate of this one for small records. It
//     resends an unanswered batch as a new one.
//   - Cluster.dial: Transport does not report failed connections, logs in again in the background
//     with a refused password, and waits forever for a broker that does not answer a login.
//   - Cluster.Metadata: kafka-go has no ids of topics, and answers from a cache, even when a broker
//     has just reported another leader of the partition.
//   - Cluster.Heartbeat: Client.Heartbeat reads the fields of the answer in the wrong order, and so
//     never sees an error (kafka-go#1371). It does not ask the coordinator, either.
//   - Cluster.Join: Client.JoinGroup reads only the metadata that it has written itself, and fails
//     in a group with members that use another library.
//   - Cluster.ListOffsets: Client.ListOffsets sends a request for each partition, each over a
//     connection of its own.
//   - Cluster.DeleteRecords: kafka-go does not have the request.
package wire
