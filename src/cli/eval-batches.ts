import type { Schemas } from "../client/api-types.ts";
import { type FileLine, createLineError, readLines } from "./file-lines.ts";

type Result = Schemas["NewEvalResult"];

/** Results of one request, with their line numbers in the file. */
export type EvalBatch = { results: Result[]; lines: number[] };

const RESULTS = 500;
/** The longest line, and about the longest request. */
const LINE_BYTES = 1_000_000;

/**
 * Reads results, one per line, in batches that fit a request. The server validates each result.
 *
 * @throws {CommandError} if a line is not a JSON object, or an item occurs twice.
 */
export async function* readBatches(source: AsyncIterable<Buffer | string>): AsyncGenerator<EvalBatch, void> {
  const firstLines = new Map<string, number>();
  let batch: EvalBatch = { results: [], lines: [] };
  let sizeBytes = 0;
  for await (const line of readLines(source, LINE_BYTES)) {
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
    throw createLineError(number, null, "is not a JSON object");
  }
  const key = "item_key" in result ? result.item_key : null;
  if (typeof key === "string") {
    const first = firstLines.get(key);
    if (first !== undefined) throw createLineError(number, "item_key", `is also on line ${first}`);
    firstLines.set(key, number);
  }
  // The server validates the fields.
  return result as Result;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
