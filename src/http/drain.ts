import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Longer than proxies take to ask whether a server is ready. */
const LEAVE_MS = 3000;
const DRAIN_MS = 10_000;

/**
 * Serves on, no longer ready, until proxies have noticed. Each answer ends its connection: a proxy that sends a request on
 * one that is closed at that moment can't know whether it was taken, and fails it.
 */
export async function leaveProxies(server: Server): Promise<void> {
  server.prependListener("request", (_request, response) => void response.setHeader("connection", "close"));
  await delay(LEAVE_MS);
}

/** Accepts no more requests, waits at most ten seconds for running ones, and closes all connections. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Kept-alive connections become idle again after each answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
