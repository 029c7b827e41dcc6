import { ApiError, ConnectionError, type Problem, isPassing } from "./api-error.ts";
import type { Routes } from "./api-types.ts";
import type { Contact } from "./contact.ts";
import type { BearerSource } from "./bearer-source.ts";
import { backoffMs, wait } from "./wait.ts";

/** A route by its method and path, such as `GET /tasks/{id}`. */
export type Route = keyof Routes;

/** What a request of a route sends. */
export type RouteRequest<Of extends Route> = Omit<Routes[Of], "answer"> &
  (Of extends `${string}{id}${string}` ? { id: string } : unknown) & {
    signal?: AbortSignal;
    /** Whether the same request may be sent again where it is not known whether it arrived; true where it is left out. */
    again?: boolean;
    /**
     * Makes a request that creates something do so once: for 24 hours, in this life or the next of the same agent and API
     * key. Without one it does so once however often this call has to send it.
     */
    idempotencyKey?: string;
  };

/** Sends requests of /api/v1, and sends them again where the service or the network is at fault. */
export type Send = <Of extends Route>(route: Of, sent: RouteRequest<Of>) => Promise<Routes[Of]["answer"]>;

/** What requests are sent with. */
export type Sender = {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  credential: BearerSource;
  fetch: typeof fetch;
  contact: Contact;
};

/** A sent request as far as no route needs to be known. */
type Plain = {
  id?: string;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  again?: boolean;
  idempotencyKey?: string;
};

const TIMEOUT_MS = 15_000;

/** Makes a function that sends requests: without an end where they may be sent again, until their signal is given. */
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
        // Of a token that has just ended there is another; when that is refused too, it is for another reason.
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
  /** `token`: what it was sent with; null where none could be minted. */
  | { kind: "refused"; error: ApiError; token: string | null }
  /** `isRefused`: it certainly did not take effect. */
  | { kind: "passing"; error: unknown; isRejected: boolean; retryAfterMs: number | null };

/** A request without its bearer, and how long its answer may take. */
type Prepared = { address: string; init: RequestInit; headers: Record<string, string>; timeoutMs: number };

/** Who is told to come back later has been answered. */
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
  const timer = setTimeout(() => over.abort(new Error("no answer in time")), timeoutMs);
  function end(): void {
    over.abort(signal?.reason);
  }
  signal?.addEventListener("abort", end, { once: true });
  try {
    const token = await sender.credential.token(over.signal);
    const authorization = `Bearer ${token}`;
    const sent = { ...init, headers: { ...headers, authorization }, signal: over.signal };
    const response = await sender.fetch(address, sent);
    return readAnswer(response, await response.text(), token);
  } catch (error) {
    signal?.throwIfAborted();
    // The token could not be minted, and never will be.
    if (error instanceof ApiError && !isPassing(error)) return { kind: "refused", error, token: null };
    const lost = isPassing(error) ? error : new ConnectionError(sender.url, error);
    return { kind: "passing", error: lost, isRejected: false, retryAfterMs: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** @throws {TypeError} for a body that can't be JSON: sending it again would be of no use. */
function prepare(url: string, route: Route, { id = "", query = {}, body, idempotencyKey }: Plain): Prepared {
  const [method = "GET", path = ""] = route.split(" ");
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    asked.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const waits = Number(query["wait"] ?? (body as { wait?: number } | undefined)?.wait ?? 0);
  return {
    address: `${url}/api/v1${path.replace("{id}", encodeURIComponent(id))}${search === "" ? "" : `?${search}`}`,
    init: { method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      // Sent again it does not create a second time.
      ...(method === "POST" && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() }),
    },
    timeoutMs: TIMEOUT_MS + waits * 1000,
  };
}

function readAnswer(response: Response, text: string, token: string): Answer {
  const { status, headers } = response;
  if (response.ok) return { kind: "answer", body: text === "" ? null : JSON.parse(text) };
  const error = new ApiError({ code: "unknown", ...parseProblem(text), status });
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? (seconds + Math.random()) * 1000 : null;
  // What was sent before and not waited for is still at work.
  const isUnderWay = error.code === "idempotency_conflict";
  if (isPassing(error) || isUnderWay)
    return { kind: "passing", error, isRejected: status === 429, retryAfterMs };
  return { kind: "refused", error, token };
}

function parseProblem(text: string): Partial<Problem> {
  try {
    // A problem of RFC 9457, or what some proxy says.
    return JSON.parse(text) as Partial<Problem>;
  } catch {
    return {};
  }
}
