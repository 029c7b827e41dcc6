import { Agent, type IncomingMessage, request } from "node:http";

/** Unlimited keep-alive connections, so that long polls don't block other requests. */
const agent = new Agent({ keepAlive: true });

type Call = { bearer: string; body?: object };

/**
 * Requests JSON with node:http, because `fetch` costs several times the CPU, and the load shares the machine with
 * the measured server.
 *
 * @returns the body, or null if it is empty.
 * @throws {Error} with the response for a status of 400 or above.
 */
export async function call(address: string, { bearer, body }: Call): Promise<unknown> {
  const sent = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${bearer}`,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(sent),
    }),
  };
  const method = body === undefined ? "GET" : "POST";
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { agent, method, headers }, resolve).once("error", reject).end(sent);
  });
  const text = await readText(answer);
  if ((answer.statusCode ?? 0) >= 400)
    throw new Error(`${address} answered ${answer.statusCode ?? ""}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

async function readText(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => (text += part));
    answer.once("end", () => resolve(text));
    answer.once("error", reject);
  });
}
