import { RemoteProblem } from "./remote-problem.ts";

/** The longest line of results. A request may be slightly larger. */
export const LINE_BYTES = 1_000_000;

const NEWLINE = 0x0a;

/** `number` starts at 1. */
export type FileLine = { number: number; text: string };

/**
 * Reads a file of any length line by line. Blank lines are counted but left out.
 *
 * @throws {RemoteProblem} if a line is too long or not UTF-8.
 */
export async function* readLines(source: AsyncIterable<Buffer | string>): AsyncGenerator<FileLine, void> {
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = Buffer.concat([rest, Buffer.from(chunk)]);
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
      const text = decodeLine(++number, rest.subarray(start, end));
      start = end + 1;
      if (text !== "") yield { number, text };
    }
    rest = rest.subarray(start);
    requireLength(number + 1, rest);
  }
  const last = decodeLine(number + 1, rest);
  if (last !== "") yield { number: number + 1, text: last };
}

/** Creates the error of an invalid line. */
export function createLineProblem(number: number, field: string | null, detail: string): RemoteProblem {
  const place = field === null ? `line ${number}` : `line ${number}: ${field}`;
  return new RemoteProblem({
    code: "wrong_line",
    message: `${place} ${detail}`,
    ...(field !== null && { field }),
  });
}

function decodeLine(number: number, bytes: Buffer): string {
  requireLength(number, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    throw createLineProblem(number, null, "is not UTF-8");
  }
}

function requireLength(number: number, bytes: Buffer): void {
  if (bytes.length > LINE_BYTES) throw createLineProblem(number, null, `is longer than ${LINE_BYTES} bytes`);
}
