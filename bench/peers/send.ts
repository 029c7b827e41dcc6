import { createHash } from "node:crypto";

type Reply = { header: (name: string, value: string) => unknown; type: (type: string) => unknown };

/** Sends JSON with a hash of the body as ETag. @returns the body. */
export function send(reply: Reply, answer: object): string {
  const body = JSON.stringify(answer);
  reply.header("etag", `"${createHash("sha256").update(body).digest("base64url")}"`);
  reply.type("application/json");
  return body;
}
