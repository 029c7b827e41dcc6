import { EventEmitter, once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** An email as received by Mailgun's API. */
export type PostedEmail = {
  path: string;
  authorization: string;
  /** The form. Values of repeated names are joined by a comma. */
  form: Record<string, string>;
  to: string;
  /** The token of the email's link, or "". */
  token: string;
};

/** How the API responds: like Mailgun, with an error, or never. */
export type Answering = "taken" | "broken" | "forbidden" | "silent";

/** A local server with the part of Mailgun's API that sends emails. */
export type MailgunApi = {
  url: string;
  /** The accepted emails. */
  emails: PostedEmail[];
  /** All requests, including rejected ones. */
  requests: PostedEmail[];
  /** How it responds from now on. A function decides for each email. */
  answer: (answering: Answering | ((email: PostedEmail) => Answering)) => void;
  /** Waits for a request after this many. */
  requested: (count: number) => Promise<void>;
  /** Clears everything received, and responds like Mailgun. */
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts it on a free loopback port. */
export async function startMailgunApi(): Promise<MailgunApi> {
  let decide: (email: PostedEmail) => Answering = () => "taken";
  const came = new EventEmitter();
  const emails: PostedEmail[] = [];
  const requests: PostedEmail[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const email = await receive(request);
    const answering = decide(email);
    requests.push(email);
    if (answering === "taken") emails.push(email);
    came.emit("request");
    if (answering === "silent") return;
    const { status, body } = ANSWERS[answering];
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A server listening on a TCP port has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emails,
    requests,
    answer: (answering) => {
      decide = typeof answering === "function" ? answering : () => answering;
    },
    requested: async (count) => {
      while (requests.length < count) await once(came, "request");
    },
    reset: () => {
      decide = () => "taken";
      emails.length = 0;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const ANSWERS = {
  taken: { status: 200, body: '{"id":"<20261121080000.1@example.com>","message":"Queued. Thank you."}' },
  broken: { status: 500, body: '{"message":"Internal Server Error"}' },
  forbidden: { status: 401, body: "Forbidden" },
} as const;

async function receive(request: IncomingMessage): Promise<PostedEmail> {
  const { url: path = "", headers } = request;
  const { authorization = "", "content-type": type = "" } = headers;
  const body = new Uint8Array(await buffer(request));
  const fields = await new Response(body, { headers: { "content-type": type } }).formData();
  const names = [...new Set(fields.keys())];
  // Emails have no attachments, so every field is text.
  const form = Object.fromEntries(names.map((name) => [name, (fields.getAll(name) as string[]).join(",")]));
  const token = /\/users\/[a-z-]+\/([A-Za-z0-9_-]{43})\b/.exec(form["text"] ?? "")?.[1] ?? "";
  return { path, authorization, form, to: form["to"] ?? "", token };
}
