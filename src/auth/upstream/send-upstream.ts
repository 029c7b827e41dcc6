import type { McpServer } from "../../db/generated/client.ts";
import type { OutboundAnswer } from "../../http/outbound/exchange.ts";
import { OutboundError } from "../../http/outbound/outbound-error.ts";
import type { OutboundRequest } from "../../http/outbound/outbound.ts";
import { openCredential } from "./credential-headers.ts";
import { UpstreamError } from "./upstream-error.ts";
import type { UpstreamServices } from "./upstream-services.ts";

type Message = {
  /** Undefined ends the session that the headers name. */
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
  limits?: OutboundRequest["limits"];
  signal?: AbortSignal;
};

/**
 * Posts a message to an MCP server, with its credential, or ends a session with it.
 *
 * @throws {UpstreamError} also if the server refuses the credential or redirects.
 */
export async function sendUpstream(
  { outbound, sealedBox }: UpstreamServices,
  server: McpServer,
  { body, headers, limits, signal }: Message,
): Promise<OutboundAnswer> {
  const credential = openCredential(server, sealedBox);
  if (credential === null) {
    throw new UpstreamError("credential_unreadable", "Our key does not open the server's credential.", false);
  }
  const sent = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await toUpstreamErrors(() =>
    outbound.send(server.url, {
      method: body === undefined ? "DELETE" : "POST",
      headers: { ...headers, ...sent, ...credential },
      ...(body !== undefined && { body }),
      ...(limits && { limits }),
      ...(signal && { signal }),
    }),
  );
  const problem = findStatusProblem(answer.status);
  if (problem === null) return answer;
  answer.discard();
  throw problem;
}

/** Runs work of a request. What fails is an UpstreamError. */
export async function toUpstreamErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutboundError) throw new UpstreamError("down", error.message, error.isSent);
    throw error;
  }
}

/** A server that refuses a request has not done it. */
function findStatusProblem(status: number): UpstreamError | null {
  if (status === 401 || status === 403) {
    return new UpstreamError("credential_refused", "The server does not accept our credential.", false);
  }
  if (status < 300 || status >= 400) return null;
  return new UpstreamError("down", `The server redirects (status ${status}), which is not followed.`, false);
}
