import { type Command, InvalidArgumentError } from "commander";
import type { EvalOptions } from "./actions/eval.ts";
import type { Remote } from "./run-remote.ts";
import type { CommandAnswer } from "./terminal.ts";

/** Makes a command's action: imports its work on demand, runs it against a server and prints the answer. */
export type RunRemote = (load: () => Promise<(remote: Remote) => Promise<CommandAnswer>>) => Promise<void>;

export function addEvalCommand(program: Command, run: RunRemote): void {
  program
    .command("eval")
    .description(
      "upload evaluation results to a running server and check them against a gate; exits with 0 if it " +
        "passes, 1 if it fails, 2 on errors; AGENT_OPS_URL and AGENT_OPS_TOKEN are the server and the " +
        "token",
    )
    .argument("<results>", "a file with one result per line in JSON, or - for standard input")
    .requiredOption("--suite <suite>", "the name of the suite; runs of the same suite share one baseline")
    .requiredOption("--name <name>", "the name of this run")
    .option("--baseline <run>", "the run to compare with: an id, or `latest` for the suite's baseline")
    .option(
      "--require-baseline",
      "exit with 2 if the suite has no baseline; the run is kept and can be promoted",
    )
    .option("--min-pass-rate <rate>", "the minimum share of passed results, such as 0.95", parseNumber)
    .option(
      "--max-regressions <count>",
      "the most items that may have passed in the baseline and not in this run",
      parseNumber,
    )
    .option(
      "--min-score <name=mean>",
      "the minimum mean of a score, such as exact_match=0.8; repeatable",
      parseScore,
      {},
    )
    .option("--commit <commit>", "the evaluated commit")
    .option("--branch <branch>", "its branch")
    .option("--ci-url <url>", "the URL of the CI build")
    .option("--timeout <seconds>", "how long to retry while the server can't be reached", parseSeconds, 60)
    .action((file: string, options: EvalOptions) =>
      run(async () => {
        const { runEval: evaluate } = await import("./actions/eval.ts");
        return (remote) => evaluate(remote, file, options);
      }),
    );
}

function parseNumber(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return value;
}

function parseSeconds(text: string): number {
  const value = parseNumber(text);
  if (value <= 0 || value > 3600) throw new InvalidArgumentError("It must be more than 0 and at most 3600.");
  return value;
}

function parseScore(text: string, scores: Record<string, number>): Record<string, number> {
  const [, name, mean] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (name === undefined || mean === undefined) throw new InvalidArgumentError("It must be name=number.");
  return { ...scores, [name]: parseNumber(mean) };
}
