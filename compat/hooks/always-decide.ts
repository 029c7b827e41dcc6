import type { Context, Next } from "hono";
import type { HttpEnv } from "../../src/http/request.ts";
import { DECISION_HEADER } from "./hook-answer.ts";
import { refuse } from "./refuse.ts";

/** Makes every answer to a hook a decision: what another part of the server answered denies, and says why. */
export async function alwaysDecide(c: Context<HttpEnv>, next: Next): Promise<void> {
  await next();
  if (c.res.headers.has(DECISION_HEADER)) return;
  const detail = await readDetail(c.res);
  c.get("log").warn({ status: c.res.status }, "a hook was rejected");
  c.res = refuse(c, `Agent Ops: ${detail}`);
}

async function readDetail(response: Response): Promise<string> {
  try {
    const { detail } = (await response.clone().json()) as { detail?: unknown };
    if (typeof detail === "string") return detail;
  } catch {
    // Not every answer is JSON.
  }
  return "the server rejected the request";
}
