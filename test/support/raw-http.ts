import { type IncomingHttpHeaders, request } from "node:http";

/** A request that fetch can't send: any Host, body and Content-Length. */
export type RawHttpRequest = {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string;
};

/** Sends a request on its own connection. */
export function sendRawHttp(
  url: string,
  { method = "GET", path, headers = {}, body }: RawHttpRequest,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
