# Puts antichain into the path of the following steps.
set -euo pipefail
export GOBIN=$RUNNER_TEMP/antichain-bin
mkdir -p "$GOBIN"
if [ -n "${ANTICHAIN_VERSION:-}" ]; then
  go install "github.com/antichain-go/antichain/cmd/antichain@$ANTICHAIN_VERSION"
else
  (cd "$GITHUB_ACTION_PATH/../../.." && go install ./cmd/antichain)
fi
echo "$GOBIN" >>"$GITHUB_PATH"
"$GOBIN/antichain" --version
