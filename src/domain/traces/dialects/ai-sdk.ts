import { type Dialect, toOps } from "./dialect.ts";
import { genai } from "./genai.ts";

/** Vercel's AI SDK up to 6. Version 7 speaks OpenTelemetry's conventions. @see https://ai-sdk.dev/docs/ai-sdk-core/telemetry */
export const aiSdk: Dialect = {
  ...genai,
  name: "ai_sdk",
  operations: [
    {
      key: "ai.operationId",
      ops: toOps({
        llm: [
          ...["ai.generateText.doGenerate", "ai.streamText.doStream"],
          ...["ai.generateObject.doGenerate", "ai.streamObject.doStream"],
        ],
        // Those around a call have its tokens too.
        agent: ["ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"],
        workflow: ["ai.embed", "ai.embedMany", "ai.rerank"],
        embedding: ["ai.embed.doEmbed", "ai.embedMany.doEmbed"],
        retrieval: ["ai.rerank.doRerank"],
        tool: ["ai.toolCall"],
      }),
    },
    ...genai.operations,
  ],
  provider: ["gen_ai.system", "ai.model.provider"],
  model: ["gen_ai.response.model", "ai.response.model", "ai.model.id"],
  tokens: {
    input: ["ai.usage.inputTokens", "ai.usage.promptTokens", "ai.usage.tokens", ...genai.tokens.input],
    cacheRead: ["ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"],
    cacheWrite: ["ai.usage.inputTokenDetails.cacheWriteTokens"],
    cacheWrite1h: [],
    output: ["ai.usage.outputTokens", "ai.usage.completionTokens", ...genai.tokens.output],
    reasoning: ["ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens"],
  },
  responseId: ["gen_ai.response.id", "ai.response.id"],
  conversation: ["ai.telemetry.metadata.sessionId", "gen_ai.conversation.id"],
  toolName: ["ai.toolCall.name"],
};
