import { ApiError } from "../client/api-error.ts";
import type { Schemas } from "../client/api-types.ts";
import type { Send } from "../client/request.ts";
import { type EvalBatch, readBatches } from "./eval-batches.ts";
import { createLineError } from "./file-lines.ts";
import { CommandError } from "./command-error.ts";

/** A new run with the results to upload. */
export type EvalUpload = {
  send: Send;
  newRun: Schemas["NewEvalRun"];
  source: AsyncIterable<Buffer | string>;
};

/**
 * Creates a run, uploads its results in batches and completes it. The run is created with the first batch;
 * if reading or uploading fails later, the run is marked as failed.
 *
 * @returns the run with its verdict.
 * @throws {CommandError} if a line is invalid, or there are none.
 */
export async function uploadEvalRun({ send, newRun, source }: EvalUpload): Promise<Schemas["EvalRun"]> {
  const batches = readBatches(source);
  const first = await batches.next();
  if (first.done === true) throw new CommandError({ code: "no_results", message: "the file has no results" });
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

/** Uses an idempotency key, so a batch can be sent again. */
async function uploadBatch(send: Send, id: string, { results, lines }: EvalBatch): Promise<void> {
  try {
    await send("POST /eval_runs/{id}/results", { id, body: { results } });
  } catch (error) {
    throw toLineError(error, lines);
  }
}

/** Replaces a result's index in the batch with its line number in an error. */
function toLineError(error: unknown, lines: readonly number[]): unknown {
  if (!(error instanceof ApiError)) return error;
  const [wrong] = error.problem.errors ?? [];
  const [, place, field] = /^results\.(\d+)(?:\.(.+))?$/.exec(wrong?.field ?? "") ?? [];
  const line = lines[Number(place)];
  return wrong === undefined || line === undefined
    ? error
    : createLineError(line, field ?? null, wrong.detail);
}

const FAIL_TIMEOUT_MS = 5000;

/** If this fails too, the server marks the run as failed after a while. */
async function failRun(send: Send, id: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const body = {
    error: { code: "upload_failed", message: reason.slice(0, 2000).toWellFormed() || "The upload failed." },
  };
  const signal = AbortSignal.timeout(FAIL_TIMEOUT_MS);
  await send("POST /eval_runs/{id}/fail", { id, body, signal }).catch(() => {});
}
