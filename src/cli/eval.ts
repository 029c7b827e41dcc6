import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import { isRefusal } from "../client/api-error.ts";
import type { Schemas } from "../client/api-types.ts";
import type { Send } from "../client/request.ts";
import { evalSummary } from "./eval-summary.ts";
import { uploadEvalRun } from "./eval-upload.ts";
import { RemoteProblem } from "./remote-problem.ts";
import type { Remote } from "./run-remote.ts";
import type { Answer } from "./terminal.ts";

/** Makes an action of work that talks to a service: its answer is printed. */
export type RunRemote = (work: (remote: Remote) => Promise<Answer>) => Promise<void>;

type Options = {
  suite: string;
  name: string;
  baseline?: string;
  requireBaseline?: true;
  minPassRate?: number;
  maxRegressions?: number;
  minScore: Record<string, number>;
  commit?: string;
  branch?: string;
  ciUrl?: string;
  timeout: number;
};

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
    .option("--min-pass-rate <rate>", "the least share of passed results, such as 0.95", numberOf)
    .option(
      "--max-regressions <count>",
      "how many items may have passed in the baseline and not now",
      numberOf,
    )
    .option("--min-score <name=mean>", "the least mean of a score, such as exact_match=0.8", scoreOf, {})
    .option("--commit <commit>", "the commit that is evaluated")
    .option("--branch <branch>", "its branch")
    .option("--ci-url <url>", "where the build is found")
    .option("--timeout <seconds>", "how long to try where the server can't be reached", secondsOf, 60)
    .action((file: string, options: Options) => run((remote) => evaluate(remote, file, options)));
}

async function evaluate(
  { sendFor, terminal, signal }: Remote,
  file: string,
  options: Options,
): Promise<Answer> {
  const send = sendFor(options.timeout);
  const { source, close } = await openSource(file, terminal.stdin);
  function stop(): void {
    source.destroy();
  }
  signal.addEventListener("abort", stop, { once: true });
  try {
    const run = await uploadEvalRun({ send, newRun: newRunOf(options), source });
    if (options.requireBaseline === true && run.baseline_run_id === null) throw withoutBaseline(run);
    const comparison = await comparisonOf(send, run);
    return {
      json: { eval_run: run, comparison },
      lines: evalSummary(run, comparison),
      failed: run.verdict === "failed",
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await close();
  }
}

function withoutBaseline({ id, suite }: Schemas["EvalRun"]): RemoteProblem {
  return new RemoteProblem({
    code: "no_baseline",
    message: `${suite} has no baseline to compare with; an operator can make it the evaluation run ${id}, which is complete`,
  });
}

async function openSource(
  file: string,
  stdin: Readable,
): Promise<{ source: Readable; close: () => Promise<void> }> {
  if (file === "-") return { source: stdin, close: async () => {} };
  const handle = await openFile(file);
  return { source: handle.createReadStream(), close: () => handle.close() };
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new RemoteProblem({ code: "unreadable_file", message: `${file} can't be read${reason}` });
  }
}

function newRunOf(options: Options): Schemas["NewEvalRun"] {
  const { suite, name, minPassRate, maxRegressions, minScore, commit, branch, ciUrl } = options;
  const baseline = options.baseline ?? (options.requireBaseline === true ? "latest" : undefined);
  return {
    ...{ suite, name },
    ...(baseline !== undefined && {
      baseline_run_id: baseline === "latest" ? "latest_baseline" : baseline,
    }),
    gate: {
      min_pass_rate: minPassRate ?? null,
      max_regressions: maxRegressions ?? null,
      min_scores: minScore,
    },
    source: { commit: commit ?? null, branch: branch ?? null, ci_url: ciUrl ?? null },
  };
}

/** Who may write runs and not read them gets the verdict alone. */
async function comparisonOf(
  send: Send,
  { id, baseline_run_id: baseline }: Schemas["EvalRun"],
): Promise<Schemas["EvalComparison"] | null> {
  if (baseline === null) return null;
  try {
    return (await send("GET /eval_runs/{id}/comparison", { id, query: {} })).comparison;
  } catch (error) {
    if (isRefusal(error, "insufficient_scope")) return null;
    throw error;
  }
}

function numberOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return value;
}

function secondsOf(text: string): number {
  const value = numberOf(text);
  if (value <= 0 || value > 3600) throw new InvalidArgumentError("It must be more than 0 and at most 3600.");
  return value;
}

function scoreOf(text: string, scores: Record<string, number>): Record<string, number> {
  const [, name, mean] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (name === undefined || mean === undefined) throw new InvalidArgumentError("It must be name=number.");
  return { ...scores, [name]: numberOf(mean) };
}
