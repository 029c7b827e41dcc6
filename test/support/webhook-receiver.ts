import { text as readText } from "node:stream/consumers";
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { onTestFinished } from "vitest";
import { type UpstreamServer, startUpstreamServer } from "./upstream-server.ts";

/** A request as a receiver gets it. */
export type ReceivedWebhook = {
  id: string;
  type: string;
  subject: string;
  sequence: string | undefined;
  atMs: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
};

/** What a receiver answers: a status, or by its own means. */
type Answer = number | ((response: ServerResponse) => void);

export type WebhookReceiver = UpstreamServer & {
  received: ReceivedWebhook[];
  /** Says what is answered. At first 204. */
  answer: (one: ReceivedWebhook) => Answer;
};

/** Starts a receiver on loopback for the test. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = await startUpstreamServer((request, response) => {
    receive(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  onTestFinished(() => server.close());
  const receiver: WebhookReceiver = { ...server, received, answer: () => 204 };
  return receiver;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const { id, type, subject, sequence } = JSON.parse(body);
    const { url: path = "", headers } = request;
    const one = { id, type, subject, sequence, atMs: performance.now(), path, headers, body };
    received.push(one);
    const answer = receiver.answer(one);
    if (typeof answer === "function") answer(response);
    else response.writeHead(answer).end(STATUS_CODES[answer]);
  }
}
