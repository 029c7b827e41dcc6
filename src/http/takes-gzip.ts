import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { HttpEnv } from "./request.ts";

/** Whether a client accepts gzip. @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
export function takesGzip<Env extends HttpEnv>(c: Context<Env>): boolean {
  const chosen = accepts(c, {
    header: "Accept-Encoding",
    supports: ["gzip", "identity"],
    default: "identity",
    match: (asked) => {
      const named = asked.find(({ type }) => type === "gzip") ?? asked.find(({ type }) => type === "*");
      return (named?.q ?? 0) > 0 ? "gzip" : "identity";
    },
  });
  return chosen === "gzip";
}
