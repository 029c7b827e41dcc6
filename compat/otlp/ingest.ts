import type { Context } from "hono";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import type { HeldBody, HoldBody } from "../../src/http/held-bodies.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { answerSuccess } from "./answer.ts";
import type { Signal } from "./decode.ts";
import type { Decoder } from "./decoder.ts";
import { type OtlpEnv, readEncoding, readIsGzip } from "./otlp-app.ts";
import { readBody } from "./read-body.ts";

const IngestTelemetry = graphql(`
  mutation IngestTelemetry($input: IngestTelemetryInput!) {
    ingestTelemetry(input: $input) {
      receipt {
        accepted
        rejected
        dropped
        message
      }
    }
  }
`);

/** The memory of a span, call or point, besides its texts. */
export const ITEM_BYTES = 512;

type IngestOptions = {
  signal: Signal;
  maxBytes: number;
  holdBody: HoldBody;
  /** Reserves memory for what a body says, which may be much larger than the body. */
  holdItems: HoldBody;
  decoder: Decoder;
};

/** Reads what a request sends and stores it. */
export async function ingest(
  c: Context<OtlpEnv>,
  { signal, maxBytes, holdBody, holdItems, decoder }: IngestOptions,
): Promise<Response> {
  const [encoding, isGzip, ctx] = [readEncoding(c), readIsGzip(c), c.get("ctx")];
  const held: HeldBody[] = [];
  function hold(bytes: number, holdIn = holdBody): HeldBody | null {
    const body = holdIn(getBodyHolder(ctx), bytes);
    if (body !== null) held.push(body);
    return body;
  }
  try {
    const bytes = await readBody(c.env.incoming, { maxBytes, isGzip, hold: (most) => hold(most) });
    async function read(options: ReadOptions): Promise<TelemetryBatch> {
      const batch = await decoder.decode({ bytes, signal, encoding, options });
      const items = batch.spans.length + batch.calls.length + batch.points.length;
      if (hold(items * ITEM_BYTES, holdItems) === null) throw createFullError();
      return batch;
    }
    const { ingestTelemetry } = await execute(ctx, IngestTelemetry, { input: { batch: { read } } });
    const { accepted, rejected, dropped, message } = ingestTelemetry.receipt;
    ctx.services.measures.ingested(signal, { accepted, rejected, dropped });
    if (message === null) return answerSuccess(c, encoding, null);
    if (accepted + dropped === 0) throw createUselessError(signal, message);
    return answerSuccess(c, encoding, { signal, rejected, message });
  } finally {
    for (const body of held) body.keep(0);
  }
}

function createFullError(): DomainError {
  return new DomainError("unavailable", "Too much is being stored at once. Try again in a few seconds.");
}

function createUselessError(signal: Signal, message: string): DomainError {
  const isOther = signal === "traces" && message.includes("traceId");
  const hint = isOther ? " Logs and metrics can't be sent to this path." : "";
  return new DomainError("invalid_body", `No ${WORDS[signal]} could be stored. ${message}.${hint}`);
}

const WORDS: Record<Signal, string> = { traces: "span", logs: "record", metrics: "point" };
