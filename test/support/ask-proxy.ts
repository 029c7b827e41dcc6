import https from "node:https";
import { text } from "node:stream/consumers";

/** Where clients come from; the proxies come from 127.0.0.1. */
export const CLIENT = "127.0.0.2";

type Request = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends a request from the client's address to a proxy, whatever its certificate. */
export async function ask(
  url: string,
  { method = "GET", headers = {}, body }: Request = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows its answer
): Promise<{ status: number; body: any }> {
  const options = {
    method,
    headers,
    localAddress: CLIENT,
    family: 4,
    rejectUnauthorized: false,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const request = https.request(url, options, (response) => {
      text(response).then((answer) => {
        const isJson = response.headers["content-type"]?.includes("json") === true;
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(answer) : answer });
      }, reject);
    });
    request.once("error", reject);
    request.end(body);
  });
}
