import { CommandError } from "./command-error.ts";

const NEWLINE = 0x0a;

/** `number` starts at 1. */
export type FileLine = { number: number; text: string };

/**
 * Reads a file of any length line by line. Blank lines are counted but left out.
 *
 * @throws {CommandError} if a line is longer than `maxBytes` or not UTF-8.
 */
export async function* readLines(
  source: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<FileLine, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    const read = Buffer.from(chunk);
    let start = 0;
    for (let end = read.indexOf(NEWLINE); end !== -1; end = read.indexOf(NEWLINE, start)) {
      const text = decodeLine(++number, [...parts, read.subarray(start, end)], maxBytes);
      [start, parts, bytes] = [end + 1, [], 0];
      if (text !== "") yield { number, text };
    }
    parts.push(read.subarray(start));
    bytes += read.length - start;
    if (bytes > maxBytes) throw createLengthError(number + 1, maxBytes);
  }
  const last = decodeLine(number + 1, parts, maxBytes);
  if (last !== "") yield { number: number + 1, text: last };
}

/** Creates the error of an invalid line. */
export function createLineError(number: number, field: string | null, detail: string): CommandError {
  const place = field === null ? `line ${number}` : `line ${number}: ${field}`;
  return new CommandError({
    code: "wrong_line",
    message: `${place} ${detail}`,
    ...(field !== null && { field }),
  });
}

function decodeLine(number: number, parts: readonly Buffer[], maxBytes: number): string {
  const bytes = Buffer.concat(parts);
  if (bytes.length > maxBytes) throw createLengthError(number, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    throw createLineError(number, null, "is not UTF-8");
  }
}

function createLengthError(number: number, maxBytes: number): CommandError {
  return createLineError(number, null, `is longer than ${maxBytes} bytes`);
}
