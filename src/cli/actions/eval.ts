import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { isRejection } from "../../client/api-error.ts";
import type { Schemas } from "../../client/api-types.ts";
import type { Send } from "../../client/request.ts";
import { evalSummary } from "../eval-summary.ts";
import { uploadEvalRun } from "../eval-upload.ts";
import { CommandError } from "../command-error.ts";
import type { Remote } from "../run-remote.ts";
import type { CommandAnswer } from "../terminal.ts";

export type EvalOptions = {
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

/** Uploads evaluation results and checks them against a gate. */
export async function runEval(
  { sendFor, terminal, signal }: Remote,
  file: string,
  options: EvalOptions,
): Promise<CommandAnswer> {
  const send = sendFor(options.timeout);
  const { source, close } = await openSource(file, terminal.stdin);
  function stop(): void {
    source.destroy();
  }
  signal.addEventListener("abort", stop, { once: true });
  try {
    const run = await uploadEvalRun({ send, newRun: toNewEvalRun(options), source });
    if (options.requireBaseline === true && run.baseline_run_id === null) throw createNoBaselineProblem(run);
    const comparison = await findComparison(send, run);
    return {
      json: { eval_run: run, comparison },
      lines: evalSummary(run, comparison),
      ...(run.verdict === "failed" && { exitCode: 1 }),
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await close();
  }
}

function createNoBaselineProblem({ id, suite }: Schemas["EvalRun"]): CommandError {
  return new CommandError({
    code: "no_baseline",
    message: `${suite} has no baseline to compare with. An operator can promote the completed run ${id} to be the baseline.`,
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
    throw new CommandError({ code: "unreadable_file", message: `${file} can't be read${reason}` });
  }
}

function toNewEvalRun(options: EvalOptions): Schemas["NewEvalRun"] {
  const { suite, name, minPassRate, maxRegressions, minScore, commit, branch, ciUrl } = options;
  const baseline = options.baseline ?? (options.requireBaseline === true ? "latest" : undefined);
  return {
    suite,
    name,
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

/** Null if the caller may write runs but not read them: then only the verdict is shown. */
async function findComparison(
  send: Send,
  { id, baseline_run_id: baseline }: Schemas["EvalRun"],
): Promise<Schemas["EvalComparison"] | null> {
  if (baseline === null) return null;
  try {
    return (await send("GET /eval_runs/{id}/comparison", { id, query: {} })).comparison;
  } catch (error) {
    if (isRejection(error, "insufficient_scope")) return null;
    throw error;
  }
}
