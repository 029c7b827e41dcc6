import { type Command, InvalidArgumentError } from "commander";
import type { EvalOptions } from "./actions/eval.ts";
import type { Remote } from "./run-remote.ts";
import type { CommandAnswer } from "./terminal.ts";

/** Makes an action of work that talks to a service: it is loaded when it is called, and its answer is printed. */
export type RunRemote = (load: () => Promise<(remote: Remote) => Promise<CommandAnswer>>) => Promise<void>;

/** Adds `eval`. */
export function addEvalCommand(program: Command, run: RunRemote): void {
  program
    .command("eval")
    .description(
      "upload the results of an evaluation to a running server and hold them against a gate: exits with 0 where it holds, 1 where it does not, 2 where that can't be told; AGENT_OPS_URL and AGENT_OPS_TOKEN say where and as whom",
    )
    .argument("<results>", "a file with one result a line as JSON, or - for standard input")
    .requiredOption("--suite <suite>", "what is evaluated; runs of one suite have one baseline")
    .requiredOption("--name <name>", "what this run is called")
    .option("--baseline <run>", "the run to compare with: an id, or latest for the suite's baseline")
    .option(
      "--require-baseline",
      "exit with 2 where the suite has no baseline; the run is kept, to become it",
    )
    .option("--min-pass-rate <rate>", "the least share of passed results, such as 0.95", parseNumber)
    .option(
      "--max-regressions <count>",
      "how many items may have passed in the baseline and not now",
      parseNumber,
    )
    .option("--min-score <name=mean>", "the least mean of a score, such as exact_match=0.8", parseScore, {})
    .option("--commit <commit>", "the commit that is evaluated")
    .option("--branch <branch>", "its branch")
    .option("--ci-url <url>", "where the build is found")
    .option("--timeout <seconds>", "how long to try where the server can't be reached", parseSeconds, 60)
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
