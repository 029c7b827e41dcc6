import type { Context } from "hono";
import type { HttpEnv } from "../../src/http/request.ts";
import { answerDecision, answerNothing } from "./hook-answer.ts";

/** Answers what could not be decided: denies a tool, and does nothing about one that has run. */
export function refuse<Env extends HttpEnv>(c: Context<Env>, reason: string): Response {
  return c.req.path.endsWith("/post-tool-use")
    ? answerNothing(c)
    : answerDecision(c, { permission: "deny", reason });
}
