import { RemoteProblem } from "./remote-problem.ts";

/** What a line of results may have; a request takes a little more. */
export const LINE_BYTES = 1_000_000;

const NEWLINE = 0x0a;

/** One line of a file, from 1 on. */
export type FileLine = { number: number; text: string };

/**
 * Reads lines one by one, however long the file is. Blank lines are counted and left out.
 *
 * @throws {RemoteProblem} for a line that is too long or no UTF-8.
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

/** The refusal of a line, in one form for all that can be wrong with it. */
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
  if (bytes.length > LINE_BYTES) throw createLineProblem(number, null, `has more than ${LINE_BYTES} bytes`);
}
