import { ApiError, ConnectionError, type Problem, isPassing } from "./api-error.ts";
import type { Routes } from "./api-types.ts";
import type { Contact } from "./contact.ts";
import type { BearerSource } from "./bearer-source.ts";
import { readText } from "./read-text.ts";
import { getTraceHeader } from "./trace-context.ts";
import { backoffMs, wait } from "./wait.ts";

/** A method and path, such as `GET /tasks/{id}`. */
export type Route = keyof Routes;

export type RouteRequest<Of extends Route> = Omit<Routes[Of], "answer"> &
  (Of extends `${string}{id}${string}` ? { id: string } : unknown) & {
    signal?: AbortSignal;
    /** Whether the request may be retried if it is unknown whether it arrived. Default: true. */
    again?: boolean;
    /**
     * Makes a request that creates something idempotent for 24 hours, also across restarts of the same agent with the
     * same API key. Default: a random key, which covers only the retries of this call.
     */
    idempotencyKey?: string;
  };

/** Sends a request to /api/v1. Retries if the service or the network fails. */
export type Send = <Of extends Route>(route: Of, sent: RouteRequest<Of>) => Promise<Routes[Of]["answer"]>;

export type Sender = {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  credential: BearerSource;
  fetch: typeof fetch;
  contact: Contact;
};

/** A request without the types of its route. */
type Plain = {
  id?: string;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  again?: boolean;
  idempotencyKey?: string;
};

const TIMEOUT_MS = 15_000;
/** The service's longest limits are those of a quarter of an hour. */
const MOST_RETRY_SECONDS = 3600;

/** Creates a function that sends requests. Repeatable requests are retried until their signal is aborted. */
export function createSend(sender: Sender): Send {
  return async (route, sent) => {
    const plain: Plain = sent;
    const prepared = prepare(sender.url, route, plain);
    let dropped = false;
    for (let attempt = 1; ; attempt++) {
      const askedAtMs = performance.now();
      const answer = await attemptOnce(sender, prepared, plain);
      noteAnswer(sender.contact, answer, askedAtMs);
      if (answer.kind === "answer") return answer.body as Routes[typeof route]["answer"];
      if (answer.kind === "refused") {
        const { error, token } = answer;
        // An expired token is replaced once. If the new one is rejected too, the reason is another.
        if (error.status !== 401 || token === null || dropped) throw error;
        dropped = sender.credential.drop(token);
        if (!dropped) throw error;
        continue;
      }
      if (plain.again === false && !answer.isRejected) throw answer.error;
      await wait(answer.retryAfterMs ?? backoffMs(attempt), plain.signal);
      plain.signal?.throwIfAborted();
    }
  };
}

type Answer =
  | { kind: "answer"; body: unknown }
  /** `token`: the one that was sent, or null if none could be minted. */
  | { kind: "refused"; error: ApiError; token: string | null }
  /** `isRejected`: it certainly had no effect. */
  | { kind: "passing"; error: unknown; isRejected: boolean; retryAfterMs: number | null };

/** A request without its bearer, and its timeout. */
type Prepared = { address: string; init: RequestInit; headers: Record<string, string>; timeoutMs: number };

/** A response that asks to retry later still shows that the service is reachable. */
function noteAnswer(contact: Contact, answer: Answer, askedAtMs: number): void {
  const isAway =
    answer.kind === "passing" && (!(answer.error instanceof ApiError) || answer.error.status >= 500);
  if (isAway) contact.missed(answer.error);
  else contact.answered(askedAtMs);
}

async function attemptOnce(sender: Sender, prepared: Prepared, { signal }: Plain): Promise<Answer> {
  signal?.throwIfAborted();
  const { address, init, headers, timeoutMs } = prepared;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error("no response in time")), timeoutMs);
  function end(): void {
    over.abort(signal?.reason);
  }
  signal?.addEventListener("abort", end, { once: true });
  try {
    const token = await sender.credential.token(over.signal);
    const authorization = `Bearer ${token}`;
    const sent = { ...init, headers: { ...headers, authorization }, signal: over.signal };
    const response = await sender.fetch(address, sent);
    const text = await readText(response);
    if (text === null) return { kind: "refused", error: createSizeError(response), token: null };
    return readAnswer(response, text, token);
  } catch (error) {
    signal?.throwIfAborted();
    // The token couldn't be minted, and retrying won't help.
    if (error instanceof ApiError && !isPassing(error)) return { kind: "refused", error, token: null };
    const lost = isPassing(error) ? error : new ConnectionError(sender.url, error);
    return { kind: "passing", error: lost, isRejected: false, retryAfterMs: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** @throws {TypeError} if the body can't be serialised, because retrying wouldn't help. */
function prepare(url: string, route: Route, { id = "", query = {}, body, idempotencyKey }: Plain): Prepared {
  const [method = "GET", path = ""] = route.split(" ");
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    asked.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return {
    address: `${url}/api/v1${path.replace("{id}", encodeURIComponent(id))}${search === "" ? "" : `?${search}`}`,
    init: { method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...getTraceHeader(),
      // Retries must not create a second resource.
      ...(method === "POST" && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() }),
    },
    timeoutMs: TIMEOUT_MS + findWaitSeconds(query, body) * 1000,
  };
}

/** How long the server is asked to wait, wherever the route has it. */
function findWaitSeconds(query: Record<string, unknown>, body: unknown): number {
  // All that routes with a body call it.
  const sent = body as { wait?: number; options?: { wait?: number } } | undefined;
  return Number(query["wait"] ?? sent?.wait ?? sent?.options?.wait ?? 0);
}

function readAnswer(response: Response, text: string, token: string): Answer {
  const { status, headers } = response;
  if (response.ok) return { kind: "answer", body: text === "" ? null : JSON.parse(text) };
  const error = new ApiError({ code: "unknown", ...parseProblem(text), status });
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const isUsable = seconds >= 0 && seconds <= MOST_RETRY_SECONDS;
  const retryAfterMs = isUsable ? (seconds + Math.random()) * 1000 : null;
  // An earlier request with this key is still being processed.
  const isUnderWay = error.code === "idempotency_conflict";
  if (isPassing(error) || isUnderWay)
    return { kind: "passing", error, isRejected: status === 429, retryAfterMs };
  return { kind: "refused", error, token };
}

function createSizeError({ status }: Response): ApiError {
  return new ApiError({ status, code: "answer_too_large", detail: "The response is too large." });
}

function parseProblem(text: string): Partial<Problem> {
  try {
    // A problem of RFC 9457, or a proxy's own response.
    return JSON.parse(text) as Partial<Problem>;
  } catch {
    return {};
  }
}
