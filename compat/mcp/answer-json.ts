import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { McpEnv } from "./mcp-app.ts";

type AnswerOptions = { status?: ContentfulStatusCode; headers?: Record<string, string> };

/** Answers with JSON that nobody may keep. */
export function answerJson(c: Context<McpEnv>, answer: object, options: AnswerOptions = {}): Response {
  return answerJsonText(c, JSON.stringify(answer), options);
}

/** {@link answerJson} with JSON that is text already. */
export function answerJsonText(
  c: Context<McpEnv>,
  text: string,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return c.body(text, status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...headers,
  });
}
