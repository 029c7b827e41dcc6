import { createClient } from "graphql-ws";
import { sessionEnd } from "../session.ts";
import { noteClosed, noteHeard } from "./status.ts";

const PING_MS = 8000;
const PONG_MS = 4000;
const LONGEST_WAIT_MS = 15_000;

/** The page's one socket, opened by the session's cookie. It comes back after every cut until the session ends. */
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

/** A network that loses everything closes nothing: silence is what tells. */
function expectPong(): void {
  clearTimeout(overdue);
  overdue = window.setTimeout(() => socket.terminate(), PONG_MS);
}

window.addEventListener("offline", () => socket.terminate());

/** What a server that closed the socket for now has asked for; null for nothing. */
let askedMs: number | null = null;

/** As long as was asked for; else doubles with each try, and differs from page to page. Ends when the network is back. */
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
  if (reason === "workspace_suspended") sessionEnd.set("suspended");
}
