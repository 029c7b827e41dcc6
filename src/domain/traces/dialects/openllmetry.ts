import { type Dialect, toOps } from "./dialect.ts";
import { genai } from "./genai.ts";

/** Traceloop's instrumentations. @see https://github.com/traceloop/openllmetry */
export const openllmetry: Dialect = {
  ...genai,
  name: "openllmetry",
  operations: [
    { key: "llm.request.type", ops: toOps({ llm: ["chat", "completion"], embedding: ["embedding"] }) },
    {
      key: "traceloop.span.kind",
      ops: toOps({ agent: ["agent"], workflow: ["workflow", "task"], tool: ["tool"] }),
    },
    ...genai.operations,
  ],
  provider: ["gen_ai.system", "gen_ai.provider.name"],
  conversation: [
    "gen_ai.conversation.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id",
    "traceloop.association.properties.thread_id",
  ],
  toolName: ["gen_ai.tool.name", "traceloop.entity.name"],
};
