/** What a coding agent takes as a refusal. Any other code but 0 lets the tool run. */
const REFUSED = 2;

/**
 * Runs the hook of a coding agent in this process and ends it: 0 for a decision, with its JSON on stdout; 2 for
 * a denial and for whatever goes wrong, with the reason on stderr. Imports nothing before it has caught every
 * error.
 */
export function startHook(args: readonly string[]): void {
  process.exitCode = REFUSED;
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, refuse);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.on(signal, () => refuse(new Error(`the hook was ended by ${signal}`)));
  }
  import("./run-hook.ts")
    // oxlint-disable-next-line node/no-process-env, eslint/no-restricted-properties -- the package has no configuration of its own
    .then(({ runHook }) => runHook(args, { env: process.env, stdin: process.stdin }))
    .then(({ exitCode, stdout, stderr }) => {
      process.stderr.write(stderr);
      // Without its output, a decision doesn't count.
      process.stdout.write(stdout, (error) => (error ? refuse(error) : exit(exitCode)));
    })
    .catch(refuse);
}

function refuse(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Agent Ops: ${reason}\n`, () => exit(REFUSED));
}

/** Open connections and an open stdin must not keep the process running. */
function exit(code: number): void {
  // oxlint-disable-next-line unicorn/no-process-exit -- the program's end
  process.exit(code);
}
