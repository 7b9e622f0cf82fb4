// Package wire speaks to Kafka where github.com/segmentio/kafka-go cannot: it has the few requests that a client of
// topics, partitions and groups needs: kafka-go lacks some, misreads others, and bounds none. Connections are kafka-go's, in whose
// Transport each request finds its broker. It knows nothing of runs and traces.
//
// Each part is here for a reason, of kafka-go v0.4.51:
//
//   - screen, and a request for everything: kafka-go's package protocol makes room for as many elements as an answer says that it
//     has, so that one of 12 bytes ends the process with "out of memory". What Transport asks on its own (ApiVersions,
//     Metadata, FindCoordinator) it still decodes, when a screen has looked at the answer.
//   - Decoder: Client.Fetch, Reader and Conn.ReadBatch unfold a compressed batch without a limit (34 KB became 300 MiB),
//     and return records of transactions that were aborted (kafka-go#1332). They also read at 0.4 to 0.8 of the speed of
//     this decoder when records are small, and Reader stops forever at holes of compacted topics (kafka-go#1416).
//   - Encoder: kafka-go writes batches without a producer id, so that brokers cannot drop a batch that is sent twice
//     (kafka-go#797).
//   - Writer: kafka-go's has attempts that nothing ends, so that its Close may hang (kafka-go#1312), and a request for each partition,
//     with half of the rate of this one for small records. It sends what was not answered as if it had not been sent.
//   - Cluster.dial: Transport says nothing of connections that fail, logs in again in the background with a password that
//     was refused, and waits for ever for a broker that does not answer a login.
//   - Cluster.Metadata: kafka-go has no ids of topics, and answers from a cache, also when a broker has just said that
//     another one leads the partition.
//   - Cluster.Heartbeat: Client.Heartbeat reads the fields of the answer in the wrong order, so that it never sees an error
//     (kafka-go#1371), and does not ask the coordinator.
//   - Cluster.Join: Client.JoinGroup reads only the metadata that it has written itself, and fails in a group with members
//     that use another library.
//   - Cluster.ListOffsets: Client.ListOffsets sends a request for each partition, each over a connection of its own.
//   - Cluster.DeleteRecords: kafka-go does not have the request.
package wire
