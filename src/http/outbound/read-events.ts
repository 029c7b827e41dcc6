import { OutboundError } from "./outbound-error.ts";

const LINE_END = /\r\n|\n|\r/;
/** Each costs a quarter of a microsecond, however short it is. */
const MOST_LINES = 200_000;

/**
 * Reads the data of each event of an event stream.
 *
 * @param maxLength of an event's text.
 * @throws {OutboundError} too large.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  let data: string[] = [];
  let length = 0;
  let lines = 0;
  for await (const line of readLines(body, maxLength)) {
    lines++;
    if (lines > MOST_LINES) throw createSizeError(`more than ${MOST_LINES} lines`);
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      [data, length] = [[], 0];
    } else if (line.startsWith("data")) {
      const text = /^data(?:: ?(.*))?$/s.exec(line)?.[1];
      if (text === undefined) continue;
      length += text.length;
      if (length > maxLength) throw createSizeError(`an event of more than ${maxLength} characters`);
      data.push(text);
    }
  }
}

/** Lines that have ended. What the stream ends within is no event. */
async function* readLines(body: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let isAfterCr = false;
  for await (const bytes of body) {
    const decoded = decoder.decode(bytes, { stream: true });
    if (decoded === "") continue;
    // A line end may be split between two parts.
    const text = isAfterCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    isAfterCr = decoded.endsWith("\r");
    // Only what is new is searched, so that many small parts cost no more than one.
    const [first = "", ...others] = text.split(LINE_END);
    length += first.length;
    if (length > maxLength) throw createSizeError(`an event of more than ${maxLength} characters`);
    parts.push(first);
    for (const other of others) {
      yield parts.join("");
      [parts, length] = [[other], other.length];
    }
  }
}

function createSizeError(what: string): OutboundError {
  return new OutboundError("too large", `The answer has ${what}.`, true);
}
