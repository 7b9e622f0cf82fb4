# antichain alone, without an operating system. .goreleaser.yaml puts the binaries here.
#
# check, monitor and whatever else reads traces, formulas or models needs nothing beside the binary:
#
#     docker run --rm -v "$PWD:/data:ro" ghcr.io/antichain-go/antichain check --spec /data/a.tl /data/a.trace
#
# run, test, build, doctor, and debug of a package compile programs. They need a Go toolchain, which is not
# here: install antichain where there is one, or copy it into an image that has one:
#
#     FROM golang:1.27
#     COPY --from=ghcr.io/antichain-go/antichain /antichain /usr/local/bin/
#
# Nor are there certificates. Where monitor or send reads or writes a topic with TLS, give it --kafka-ca.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/antichain /antichain
USER 65534:65534
ENTRYPOINT ["/antichain"]
