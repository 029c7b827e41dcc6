import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import protobuf from "protobufjs/minimal.js";
import { buildChallenge } from "../../src/auth/identify.ts";
import { DomainError, ERRORS, type ErrorCode } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import { getMediaType } from "../../src/http/request-body.ts";
import type { Encoding, Signal } from "./decode.ts";
import { MEDIA_TYPES, type OtlpEnv } from "./otlp-app.ts";

/** The codes of google.rpc.Status by HTTP status. @see https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const RPC_CODES = new Map([
  ...[400, 413, 415].map((status) => [status, 3] as const),
  ...([
    [401, 16],
    [403, 7],
    [404, 5],
    [405, 12],
    [429, 8],
    [503, 14],
  ] as const),
]);
const INTERNAL = 13;

/** What clients take for bad data, and don't send again. */
const BAD_REQUESTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["validation_failed"]);

/** The longest message in characters. */
const MESSAGE_LENGTH = 1024;

/** Spans, records or points that were not stored while others were. */
export type PartialSuccess = { signal: Signal; rejected: number; message: string };

/** How JSON names what was rejected. */
const REJECTED: Record<Signal, string> = {
  traces: "rejectedSpans",
  logs: "rejectedLogRecords",
  metrics: "rejectedDataPoints",
};

/**
 * Answers a request of which at least a part was stored.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
 */
export function answerSuccess(
  c: Context<OtlpEnv>,
  encoding: Encoding,
  partial: PartialSuccess | null,
): Response {
  const headers = { "content-type": MEDIA_TYPES[encoding] };
  if (encoding === "json") {
    const answer =
      partial === null
        ? {}
        : {
            partialSuccess: {
              [REJECTED[partial.signal]]: `${partial.rejected}`,
              errorMessage: partial.message.slice(0, MESSAGE_LENGTH),
            },
          };
    return c.body(JSON.stringify(answer), 200, headers);
  }
  return c.body(partial === null ? new Uint8Array(0) : encodePartialSuccess(partial), 200, headers);
}

function encodePartialSuccess({ rejected, message }: PartialSuccess): Uint8Array<ArrayBuffer> {
  const part = protobuf.Writer.create();
  part.uint32(8).int64(rejected).uint32(18).string(message.slice(0, MESSAGE_LENGTH));
  return new Uint8Array(protobuf.Writer.create().uint32(10).bytes(part.finish()).finish());
}

/** Answers an error with a google.rpc.Status, in the encoding of the request. */
export function answerError(
  error: unknown,
  c: Context<OtlpEnv>,
  headers: Record<string, string> = {},
): Response {
  const known = toDomainError(error);
  if (known === null) c.get("log").error({ err: error }, "telemetry could not be stored");
  const shown = known ?? new DomainError("internal", "Something went wrong on our side.");
  const status = BAD_REQUESTS.has(shown.code) ? 400 : ERRORS[shown.code].status;
  const encoding = getMediaType(c) === MEDIA_TYPES.protobuf ? "protobuf" : "json";
  const rpc = { code: RPC_CODES.get(status) ?? INTERNAL, message: shown.message.slice(0, MESSAGE_LENGTH) };
  // All statuses of errors allow a body.
  return c.body(encodeStatus(rpc, encoding), status as ContentfulStatusCode, {
    "content-type": MEDIA_TYPES[encoding],
    ...getErrorHeaders(shown, c),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(!c.env.incoming.complete && { connection: "close" }),
    ...headers,
  });
}

function encodeStatus(
  status: { code: number; message: string },
  encoding: Encoding,
): string | Uint8Array<ArrayBuffer> {
  if (encoding === "json") return JSON.stringify(status);
  const { code, message } = status;
  return new Uint8Array(protobuf.Writer.create().uint32(8).int32(code).uint32(18).string(message).finish());
}

function getErrorHeaders(error: DomainError, c: Context<OtlpEnv>): Record<string, string> {
  const challenge = buildChallenge(error);
  const { retryAfterSeconds } = error.details;
  return {
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(error.code === "unavailable" && { "retry-after": "2" }),
    ...(error.code === "rate_limited" && {
      // The rate limit has set it.
      "retry-after": String(retryAfterSeconds ?? c.res.headers.get("retry-after") ?? 1),
    }),
  };
}
