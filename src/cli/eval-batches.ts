import type { Schemas } from "../client/api-types.ts";
import { LINE_BYTES, type FileLine, createLineProblem, readLines } from "./eval-lines.ts";

type Result = Schemas["NewEvalResult"];

/** Results that are uploaded together, and the numbers of the lines that they stood in. */
export type EvalBatch = { results: Result[]; lines: number[] };

const RESULTS = 500;

/**
 * Reads results, one a line, in batches that a request can carry. Whether a result is good, the service tells.
 *
 * @throws {RemoteProblem} for a line that is no JSON object, and for an item's second one.
 */
export async function* readBatches(source: AsyncIterable<Buffer | string>): AsyncGenerator<EvalBatch, void> {
  const firstLines = new Map<string, number>();
  let batch: EvalBatch = { results: [], lines: [] };
  let sizeBytes = 0;
  for await (const line of readLines(source)) {
    const lineBytes = Buffer.byteLength(line.text) + 1;
    const isFull = batch.results.length === RESULTS || sizeBytes + lineBytes > LINE_BYTES;
    if (isFull && batch.results.length > 0) {
      yield batch;
      batch = { results: [], lines: [] };
      sizeBytes = 0;
    }
    batch.results.push(parseResult(line, firstLines));
    batch.lines.push(line.number);
    sizeBytes += lineBytes;
  }
  if (batch.results.length > 0) yield batch;
}

function parseResult({ number, text }: FileLine, firstLines: Map<string, number>): Result {
  const result = parse(text);
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    throw createLineProblem(number, null, "is not a JSON object");
  }
  const key = "item_key" in result ? result.item_key : null;
  if (typeof key === "string") {
    const first = firstLines.get(key);
    if (first !== undefined) throw createLineProblem(number, "item_key", `is the one of line ${first} too`);
    firstLines.set(key, number);
  }
  // What is not as it should be in it, the service refuses by its field.
  return result as Result;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
