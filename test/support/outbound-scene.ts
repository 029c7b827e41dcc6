import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { OutboundError } from "../../src/http/outbound/outbound-error.ts";
import type { Outbound, OutboundRequest } from "../../src/http/outbound/outbound.ts";
import { type UpstreamServer, startUpstreamServer } from "./upstream-server.ts";

export const GET: OutboundRequest = { method: "GET", headers: {} };

/** Starts a server for the test. */
export async function serve(answer: RequestListener): Promise<UpstreamServer> {
  const server = await startUpstreamServer(answer);
  onTestFinished(() => server.close());
  return server;
}

/** Starts a server for the test that writes bytes. */
export async function serveRaw(onConnection: (socket: Socket) => void): Promise<UpstreamServer> {
  const server = await startUpstreamServer({ onConnection });
  onTestFinished(() => server.close());
  return server;
}

export async function readText(client: Outbound, url: string, request = GET): Promise<string> {
  const { body } = await client.send(url, request);
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** The error with which the work fails. */
export async function findError(work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OutboundError) return error;
  throw new Error("there was no such error", { cause: error });
}
