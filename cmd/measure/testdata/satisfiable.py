# Whether formulas of linear temporal logic are satisfiable, by Spot's translation to automata. On standard input a formula a line, and
# on standard output "true" or "false" and the seconds, read and decided; "unknown" where the limit, in the first argument, was not enough.
import os, resource, signal, sys, time

import spot

limit = int(sys.argv[1])
for line in sys.stdin:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(limit)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        begin = time.perf_counter()
        automaton = spot.translate(spot.formula(line), "GeneralizedBuchi", "Any", "Low")
        satisfiable = not automaton.is_empty()
        print("true" if satisfiable else "false", time.perf_counter() - begin, flush=True)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        print("unknown", limit)
    elif status != 0:
        sys.exit(f"Spot has failed on {line}")
