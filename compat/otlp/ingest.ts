import type { Context } from "hono";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { ReadOptions } from "../../src/domain/traces/telemetry.ts";
import type { HeldBody, HoldBody } from "../../src/http/held-bodies.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { answerSuccess } from "./answer.ts";
import type { Decoder } from "./decoder.ts";
import { type OtlpEnv, readEncoding, readIsGzip } from "./otlp-app.ts";
import { readBody } from "./read-body.ts";

const IngestTelemetry = graphql(`
  mutation IngestTelemetry($input: IngestTelemetryInput!) {
    ingestTelemetry(input: $input) {
      receipt {
        accepted
        rejected
        message
      }
    }
  }
`);

type IngestOptions = { maxBytes: number; holdBody: HoldBody; decoder: Decoder };

/** Reads a request's spans and stores them. */
export async function ingest(
  c: Context<OtlpEnv>,
  { maxBytes, holdBody, decoder }: IngestOptions,
): Promise<Response> {
  const [encoding, isGzip, ctx] = [readEncoding(c), readIsGzip(c), c.get("ctx")];
  const held: HeldBody[] = [];
  function hold(bytes: number): HeldBody | null {
    const body = holdBody(getBodyHolder(ctx), bytes);
    if (body !== null) held.push(body);
    return body;
  }
  try {
    const bytes = await readBody(c.env.incoming, { maxBytes, isGzip, hold });
    const batch = { read: (options: ReadOptions) => decoder.decode({ bytes, encoding, options }) };
    const { ingestTelemetry } = await execute(ctx, IngestTelemetry, { input: { batch } });
    const { accepted, rejected, message } = ingestTelemetry.receipt;
    if (message === null) return answerSuccess(c, encoding, null);
    if (accepted === 0) throw createUselessError(message);
    return answerSuccess(c, encoding, { rejected, message });
  } finally {
    for (const body of held) body.keep(0);
  }
}

function createUselessError(message: string): DomainError {
  const hint = message.includes("traceId") ? " Logs and metrics can't be sent to this path." : "";
  return new DomainError("invalid_body", `No span could be stored. ${message}.${hint}`);
}
