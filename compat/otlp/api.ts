import { type Context, Hono, type Next } from "hono";
import { admitCaller } from "../../src/auth/admit-caller.ts";
import { identify } from "../../src/auth/identify.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { requireScope } from "../../src/domain/kernel/guard.ts";
import { createHeldBodies } from "../../src/http/held-bodies.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { answerError } from "./answer.ts";
import { createDecoder } from "./decoder.ts";
import { ITEM_BYTES, ingest } from "./ingest.ts";
import type { OtlpApp, OtlpEnv, OtlpServices } from "./otlp-app.ts";

const SIGNALS = ["traces", "logs", "metrics"] as const;

/** How many of the largest bodies are in memory at once. */
const MOST_BODIES = 4;
/** How many spans, calls and points that were read are in memory at once. The largest request has 200,000. */
const MOST_ITEMS = 400_000;

/**
 * POST /v1/traces, /v1/logs and /v1/metrics, also under /api, of OpenTelemetry, in protobuf or JSON.
 *
 * @param maxBytes the largest body, before and after decompression.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function otlpApi({ rateLimit, ...services }: OtlpServices, maxBytes: number): OtlpApp {
  const api = new Hono<OtlpEnv>();
  // Apart from the memory of other APIs, so that telemetry never keeps an agent from asking or a person from acting.
  const waiting = { all: MOST_BODIES * maxBytes, workspace: 2 * maxBytes };
  const options = {
    maxBytes,
    holdBody: createHeldBodies(waiting.all),
    decoder: createDecoder(waiting),
    holdItems: createHeldBodies(MOST_ITEMS * ITEM_BYTES),
  };
  const admit = admitCaller({
    rateLimit,
    identify: (c) => identify(services, c),
    check: (ctx) => requireScope(ctx, "traces:write"),
  });
  const guard = [readEscapedBlank, admit] as const;
  for (const signal of SIGNALS) {
    for (const path of [`/v1/${signal}`, `/api/v1/${signal}`]) {
      api.post(path, ...guard, (c) => ingest(c, { ...options, signal }));
    }
  }
  refuseOtherMethods(api, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  api.onError((error, c) => answerError(error, c));
  return api;
}

/** Exporters send what `OTEL_EXPORTER_OTLP_HEADERS` says, in which some write a blank as `%20`. */
async function readEscapedBlank(c: Context<OtlpEnv>, next: Next): Promise<void> {
  const sent = c.req.header("authorization");
  if (sent?.startsWith("Bearer%20") === true) {
    c.req.raw.headers.set("authorization", sent.replace("%20", " "));
  }
  await next();
}
