import { LIMITS } from "../domain/kernel/limits.ts";
import { createTurns, runInTurn } from "../domain/kernel/turns.ts";
import type { OutboundAnswer } from "../http/outbound/exchange.ts";
import type { Outbound } from "../http/outbound/outbound.ts";
import { OutboundError } from "../http/outbound/outbound-error.ts";
import { parseRetryAfter } from "./retry-schedule.ts";
import { signWebhook } from "./sign-webhook.ts";

/** What became of one request. Null members are not known. */
export type Attempt = {
  /** `ended`: by this node, so that it counts for nothing. */
  outcome: "delivered" | "failed" | "gone" | "ended";
  answerStatus: number | null;
  answerBody: string | null;
  problem: string | null;
  durationMs: number;
  retryAfterMs: number | null;
};

/** Where a workspace's requests go, and what signs them. `isChat`: they are messages, and not signed. */
export type Receiver = { workspaceId: string; isChat: boolean; url: string; secrets: readonly string[] };

type Sent = { id: string; body: string; signal: AbortSignal };

const TIMEOUT_MS = 15_000;
const REQUEST_LIMITS = {
  connectMs: TIMEOUT_MS,
  firstByteMs: TIMEOUT_MS,
  silenceMs: TIMEOUT_MS,
  wholeMs: TIMEOUT_MS,
  answerBytes: LIMITS.webhookAnswerBytes,
};
/** Workspaces take turns to begin: many receivers may answer at once. */
const { run: takeTurn } = createTurns();
const GONE = 410;
const NOTHING = { answerStatus: null, answerBody: null, problem: null, retryAfterMs: null };

/** Sends an event once. Only an answer of 2xx delivers it. */
export async function attemptDelivery(
  outbound: Outbound,
  receiver: Receiver,
  { id, body, signal }: Sent,
): Promise<Attempt> {
  const startMs = performance.now();
  function seen(attempt: Partial<Attempt> & Pick<Attempt, "outcome">): Attempt {
    return { ...NOTHING, durationMs: Math.round(performance.now() - startMs), ...attempt };
  }
  try {
    const answer = await runInTurn(takeTurn, receiver.workspaceId, async () => {
      const headers = buildHeaders(receiver, { id, body });
      if (headers === null) return null;
      const options = { headers, body, signal, limits: REQUEST_LIMITS };
      return outbound.send(receiver.url, { method: "POST", ...options });
    });
    if (answer === null) {
      return seen({ outcome: "failed", problem: "No key of this server opens the endpoint's secret." });
    }
    const answerBody = await readStart(answer);
    return seen({ ...judge(answer), answerBody });
  } catch (error) {
    if (signal.aborted) return seen({ outcome: "ended" });
    if (error instanceof OutboundError) return seen({ outcome: "failed", problem: error.message });
    throw error;
  }
}

/** Null without a secret. */
function buildHeaders(
  { isChat, secrets }: Receiver,
  { id, body }: Pick<Sent, "id" | "body">,
): Record<string, string> | null {
  if (secrets.length === 0) return null;
  const agent = { "user-agent": "agent-ops-webhooks" };
  if (isChat) return { ...agent, "content-type": "application/json; charset=utf-8" };
  return {
    ...agent,
    "content-type": "application/cloudevents+json; charset=utf-8",
    ...signWebhook(secrets, { id, at: new Date(), body }),
  };
}

function judge({ status, headers }: OutboundAnswer): Partial<Attempt> & Pick<Attempt, "outcome"> {
  const answerStatus = status;
  if (status >= 200 && status < 300) return { outcome: "delivered", answerStatus };
  if (status === GONE) return { outcome: "gone", answerStatus };
  const retryAfterMs = parseRetryAfter(headers["retry-after"], new Date());
  const problem = status >= 300 && status < 400 ? "Redirects are not followed." : null;
  return { outcome: "failed", answerStatus, retryAfterMs, problem };
}

/** The first 4 KiB as text that can be stored. The status counts even if the rest does not come. */
async function readStart({ body }: OutboundAnswer): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      if (bytes < LIMITS.webhookKeptBytes) parts.push(part);
      bytes += part.length;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  const kept = Buffer.concat(parts).subarray(0, LIMITS.webhookKeptBytes);
  return kept.toString("utf8").replaceAll("\u0000", "\uFFFD");
}
