import { createClient } from "graphql-ws";
import { sessionEnd } from "../session.ts";
import { noteClosed, noteHeard } from "./status.ts";

const PING_MS = 8000;
const PONG_MS = 4000;
const LONGEST_WAIT_MS = 15_000;

/** The page's only socket, authenticated by the session cookie. Reconnects until the session ends. */
export const socket = createClient({
  url: `${window.location.origin.replace(/^http/, "ws")}/graphql`,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => sessionEnd.get() === null,
  retryWait: waitToRetry,
  on: {
    closed: (event) => {
      noteClosed();
      noteEnd(event);
    },
    message: noteHeard,
    ping: (received) => {
      if (!received) expectPong();
    },
    pong: (received) => {
      if (received) clearTimeout(overdue);
    },
  },
});

let overdue: number | undefined;

/** Detects lost connections: a network that drops all packets closes nothing. */
function expectPong(): void {
  clearTimeout(overdue);
  overdue = window.setTimeout(() => socket.terminate(), PONG_MS);
}

window.addEventListener("offline", () => socket.terminate());

/** The delay requested by a server that closed the socket temporarily, or null. */
let askedMs: number | null = null;

/** Waits as requested by the server, or with exponential backoff and jitter. Ends early when the network is back. */
async function waitToRetry(retries: number): Promise<void> {
  const longest = Math.min(LONGEST_WAIT_MS, 500 * 2 ** retries);
  const waited = new AbortController();
  await new Promise<void>((resolve) => {
    setTimeout(resolve, askedMs ?? 200 + Math.random() * longest);
    window.addEventListener("online", () => resolve(), { signal: waited.signal });
  });
  waited.abort();
}

function noteEnd(event: unknown): void {
  askedMs = null;
  if (!(event instanceof CloseEvent)) return;
  const { code, reason } = event;
  const asked = /retryAfterMs=(\d+)/.exec(reason)?.[1];
  if (asked !== undefined) askedMs = Number(asked);
  if (code === 4401) sessionEnd.set("logged-out");
  if (reason === "mfa_required") sessionEnd.set("needs-factor");
  if (reason === "workspace_suspended") sessionEnd.set("suspended");
}
