import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { on } from "node:events";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { getMostChunks } from "../read-chunks.ts";
import { OutboundError, type OutboundReason } from "./outbound-error.ts";

/** How long the parts of a request may take, and how large its answer may be. */
export type OutboundLimits = {
  connectMs: number;
  firstByteMs: number;
  /** Between parts of the answer. */
  silenceMs: number;
  wholeMs: number;
  answerBytes: number;
};

/** An answer. One that is not read to its end must be discarded. */
export type OutboundAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parts as they come. Throws an OutboundError if it does not come whole within the limits. */
  body: AsyncIterable<Uint8Array>;
  /** Ends the request. */
  discard: () => void;
};

type Options = { body: string | undefined; limits: OutboundLimits; signal: AbortSignal | undefined };

/** Sends a request and its body, and waits for the head of the answer. @throws {OutboundError} */
export async function exchange(
  request: ClientRequest,
  { body, limits, signal }: Options,
): Promise<OutboundAnswer> {
  let answer: IncomingMessage | null = null;
  let isSent = false;
  function end(reason: OutboundReason, problem: string): void {
    (answer ?? request).destroy(new OutboundError(reason, problem, isSent));
  }
  const clock = startClock({ wholeMs: limits.wholeMs, signal }, end);
  clock.limit(limits.connectMs, "No connection could be made in time.");
  request.once("socket", (socket) => {
    limitBytesBefore(request, socket, end);
    whenConnected(request, socket, () => {
      isSent = true;
      clock.limit(limits.firstByteMs, "The server did not answer in time.");
    });
  });
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on("error", (error) => reject(toOutboundError(error, isSent)));
      request.once("upgrade", (_head, socket) => {
        socket.destroy();
        reject(
          new OutboundError("broken", "The server changed the protocol, which was not asked for.", true),
        );
      });
      request.once("response", (received) => {
        answer = received;
        // Nobody listens before reading begins, and once it has ended.
        received.on("error", () => {});
        clock.clear();
        resolve(received);
      });
      request.end(body);
    });
    return toAnswer(message, { clock, limits });
  } catch (error) {
    clock.stop();
    throw error;
  }
}

/** What may come before the head of the answer, such as heads of 1xx and blank lines: nothing else counts it. */
const MOST_BYTES_BEFORE = 65_536;
const LOOK_MS = 20;

function limitBytesBefore(request: ClientRequest, socket: Socket, end: End): void {
  const begun = socket.bytesRead;
  const looks = setInterval(() => {
    if (socket.bytesRead - begun <= MOST_BYTES_BEFORE) return;
    end("too large", `The server sent more than ${MOST_BYTES_BEFORE} bytes before its answer.`);
  }, LOOK_MS);
  for (const event of ["response", "close"]) request.once(event, () => clearInterval(looks));
}

/** Until then, nothing of the request has left. */
function whenConnected(request: ClientRequest, socket: Socket, act: () => void): void {
  if (request.reusedSocket) act();
  else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", act);
}

type Clock = {
  /** What happens next may take so long. */
  limit: (ms: number, problem: string) => void;
  clear: () => void;
  /** Also ends the limit of the whole request. */
  stop: () => void;
};

type End = (reason: OutboundReason, problem: string) => void;

/** Ends the request when its time is over, or the caller gives up. */
function startClock(
  { wholeMs, signal }: { wholeMs: number; signal: AbortSignal | undefined },
  end: End,
): Clock {
  const whole = setTimeout(end, wholeMs, "timeout", "The request took too long.");
  let next: NodeJS.Timeout | undefined;
  function giveUp(): void {
    end("aborted", "The request was given up.");
  }
  signal?.addEventListener("abort", giveUp);
  if (signal?.aborted === true) giveUp();
  return {
    limit: (ms, problem) => {
      clearTimeout(next);
      next = setTimeout(end, ms, "timeout", problem);
    },
    clear: () => clearTimeout(next),
    stop: () => {
      clearTimeout(next);
      clearTimeout(whole);
      signal?.removeEventListener("abort", giveUp);
    },
  };
}

type Reading = { clock: Clock; limits: OutboundLimits };

/** Parts that wait for their reader before no more are taken from the connection. */
const MOST_WAITING = 64;

function toAnswer(message: IncomingMessage, reading: Reading): OutboundAnswer {
  const isPlain = (message.headers["content-encoding"] ?? "identity") === "identity";
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    body: isPlain ? readParts(message, reading) : refuseParts(message, reading),
    discard: () => {
      reading.clock.stop();
      message.destroy();
    },
  };
}

/** For who needs no more than the status, any body will do. */
// eslint-disable-next-line require-yield
async function* refuseParts(message: IncomingMessage, { clock }: Reading): AsyncGenerator<Uint8Array> {
  clock.stop();
  message.destroy();
  throw new OutboundError("broken", "The server sent a compressed answer, which was not asked for.", true);
}

/** The stream's own iterator would join small parts, whose number is limited because each costs a microsecond. */
async function* readParts(message: IncomingMessage, { clock, limits }: Reading): AsyncGenerator<Uint8Array> {
  const mostParts = getMostChunks(limits.answerBytes);
  const waiting = { highWaterMark: MOST_WAITING, lowWaterMark: 1 };
  // Streams of messages give bytes.
  const parts = on(message, "data", { close: ["end", "close"], ...waiting }) as AsyncIterableIterator<
    [Uint8Array],
    undefined
  >;
  let bytes = 0;
  try {
    for (let count = 1; ; count++) {
      clock.limit(limits.silenceMs, "The server was silent for too long.");
      const { value } = await parts.next();
      clock.clear();
      if (value === undefined) return;
      const [part] = value;
      bytes += part.length;
      if (bytes > limits.answerBytes) throw createSizeError(`more than ${limits.answerBytes} bytes`);
      if (count > mostParts) throw createSizeError("too many small parts");
      yield part;
    }
  } catch (error) {
    throw toOutboundError(error, true);
  } finally {
    clock.stop();
    message.destroy();
  }
}

function createSizeError(what: string): OutboundError {
  return new OutboundError("too large", `The answer has ${what}.`, true);
}

function toOutboundError(error: unknown, isSent: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  if (!isSent) return new OutboundError("connect", `No connection: ${describe(error)}.`);
  return new OutboundError("broken", `The connection failed: ${describe(error)}.`, isSent);
}

/** A code such as ECONNREFUSED or CERT_HAS_EXPIRED. Messages may contain addresses. */
function describe(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
