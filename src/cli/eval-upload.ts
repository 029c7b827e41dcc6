import { ApiError } from "../client/api-error.ts";
import type { Schemas } from "../client/api-types.ts";
import type { Send } from "../client/request.ts";
import { type EvalBatch, readBatches } from "./eval-batches.ts";
import { createLineProblem } from "./eval-lines.ts";
import { RemoteProblem } from "./remote-problem.ts";

/** A run with the results that are to be uploaded to it. */
export type EvalUpload = {
  send: Send;
  newRun: Schemas["NewEvalRun"];
  source: AsyncIterable<Buffer | string>;
};

/**
 * Makes a run, uploads its results batch by batch, and completes it. The run is made when the first batch is
 * read; where the rest can't be read or uploaded, it fails.
 *
 * @returns the run with its verdict.
 * @throws {RemoteProblem} for a line that is no good, or where there is none.
 */
export async function uploadEvalRun({ send, newRun, source }: EvalUpload): Promise<Schemas["EvalRun"]> {
  const batches = readBatches(source);
  const first = await batches.next();
  if (first.done === true) throw new RemoteProblem({ code: "no_results", message: "there are no results" });
  const idempotencyKey = crypto.randomUUID();
  const { eval_run: made } = await send("POST /eval_runs", { body: newRun, idempotencyKey });
  const { id } = made;
  try {
    await uploadBatch(send, id, first.value);
    for await (const batch of batches) await uploadBatch(send, id, batch);
    return (await send("POST /eval_runs/{id}/complete", { id })).eval_run;
  } catch (error) {
    await failRun(send, id, error);
    throw error;
  }
}

/** A batch takes effect once, however often it is sent. */
async function uploadBatch(send: Send, id: string, { results, lines }: EvalBatch): Promise<void> {
  try {
    await send("POST /eval_runs/{id}/results", { id, body: { results } });
  } catch (error) {
    throw toLineError(error, lines);
  }
}

/** A refusal names the result by its place in the batch: its reader knows lines. */
function toLineError(error: unknown, lines: readonly number[]): unknown {
  if (!(error instanceof ApiError)) return error;
  const [wrong] = error.problem.errors ?? [];
  const [, place, field] = /^results\.(\d+)(?:\.(.+))?$/.exec(wrong?.field ?? "") ?? [];
  const line = lines[Number(place)];
  return wrong === undefined || line === undefined
    ? error
    : createLineProblem(line, field ?? null, wrong.detail);
}

const FAIL_TIMEOUT_MS = 5000;

/** Where that can't be told either, the service fails the run itself when it hears nothing more of it. */
async function failRun(send: Send, id: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const body = {
    error: { code: "upload_failed", message: reason.slice(0, 2000).toWellFormed() || "The upload failed." },
  };
  const signal = AbortSignal.timeout(FAIL_TIMEOUT_MS);
  await send("POST /eval_runs/{id}/fail", { id, body, signal }).catch(() => {});
}
