# Runs antichain test, and leaves reports for the steps that follow: SARIF, JUnit, and the summary of the job.
set -uo pipefail
reports=$RUNNER_TEMP/antichain-reports
mkdir -p "$reports"
rm -f "$reports"/*
# Values may have several lines: read takes all of them, and returns 1 at their end.
read -r -d '' -a args <<<"${ANTICHAIN_ARGS:-}"
read -r -d '' -a packages <<<"${ANTICHAIN_PACKAGES:-./...}"

GOCACHE=${ANTICHAIN_GOCACHE:-$RUNNER_TEMP/antichain-cache} antichain test \
  --report "sarif=$reports/antichain.sarif" \
  --report "junit=$reports/antichain.xml" \
  --report "markdown=$reports/antichain.md" \
  --report github \
  ${args[@]+"${args[@]}"} "${packages[@]}"
code=$?

{
  echo "exit-code=$code"
  if [ -f "$reports/antichain.sarif" ]; then echo "sarif=$reports/antichain.sarif"; fi
  if [ -f "$reports/antichain.xml" ]; then echo "junit=$reports/antichain.xml"; fi
} >>"$GITHUB_OUTPUT"
if [ -f "$reports/antichain.md" ]; then cat "$reports/antichain.md" >>"$GITHUB_STEP_SUMMARY"; fi
if [ "${ANTICHAIN_FAIL:-true}" = true ]; then exit "$code"; fi
