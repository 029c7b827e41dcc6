import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createCompletion, toChunks } from "./chat-completion.ts";
import { createResponse, toEvents } from "./response.ts";
import type { Used } from "./used.ts";

type ChatRequest = { model: string; stream?: boolean; messages: { role: string }[] };
type ResponseRequest = { model: string; stream?: boolean; input: { type?: string }[] };

/**
 * Starts a model that speaks OpenAI's APIs, whole and streamed. It asks for the weather, and answers when it has it.
 * @see https://platform.openai.com/docs/api-reference
 */
export async function startModelServer(): Promise<{ url: string; close: () => void }> {
  let calls = 0;
  /** No two calls used the same. */
  function use(): Used {
    calls += 1;
    return { input: 10_000 + calls, cached: 100 * calls, output: 500 + calls, reasoning: 7 * calls };
  }
  const app = new Hono();
  app.post("/v1/chat/completions", async (c) => {
    const { model, messages, stream } = await c.req.json<ChatRequest>();
    const isInformed = messages.some(({ role }) => role === "tool");
    const answer = createCompletion({ model: toDated(model), isInformed }, use());
    return stream === true ? c.body(toChunks(answer), 200, EVENT_STREAM) : c.json(answer);
  });
  app.post("/v1/responses", async (c) => {
    const { model, input, stream } = await c.req.json<ResponseRequest>();
    const isInformed = input.some(({ type }) => type === "function_call_output");
    const answer = createResponse({ model: toDated(model), isInformed }, use());
    return stream === true ? c.body(toEvents(answer), 200, EVENT_STREAM) : c.json(answer);
  });
  app.post("/v1/embeddings", async (c) => {
    const { model } = await c.req.json<{ model: string }>();
    const { input } = use();
    const data = [{ object: "embedding", index: 0, embedding: [0.5, -0.5] }];
    return c.json({ object: "list", model, data, usage: { prompt_tokens: input, total_tokens: input } });
  });
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  // Listening on TCP.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

/** Answers name the model with the day of its release. */
function toDated(model: string): string {
  return `${model}-2025-04-14`;
}

const EVENT_STREAM = { "content-type": "text/event-stream" };
