import { ANSWER, ARGUMENTS, type Asked, type Used } from "./used.ts";

type Completion = ReturnType<typeof createCompletion>;

/** Creates an answer of OpenAI's Chat Completions. */
export function createCompletion({ model, isInformed }: Asked, used: Used) {
  const call = { name: "get_weather", arguments: ARGUMENTS };
  const message = isInformed
    ? { role: "assistant", content: ANSWER }
    : { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: call }] };
  return {
    ...{ id: `chatcmpl-${used.input}`, object: "chat.completion", created: 1_795_000_000, model },
    choices: [{ index: 0, message, finish_reason: isInformed ? "stop" : "tool_calls" }],
    usage: {
      prompt_tokens: used.input,
      completion_tokens: used.output,
      total_tokens: used.input + used.output,
      prompt_tokens_details: { cached_tokens: used.cached },
      completion_tokens_details: { reasoning_tokens: used.reasoning },
    },
  };
}

/** Writes a completion as the chunks of a stream, the last of which says what was used. */
export function toChunks({ choices, usage, ...rest }: Completion): string {
  const chunk = { ...rest, object: "chat.completion.chunk" };
  const deltas = choices.flatMap(({ index, message, finish_reason }) => [
    { index, delta: toDelta(message), finish_reason: null },
    { index, delta: {}, finish_reason },
  ]);
  const chunks = [
    ...deltas.map((choice) => ({ ...chunk, choices: [choice] })),
    { ...chunk, choices: [], usage },
  ];
  return [...chunks.map((one) => JSON.stringify(one)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

function toDelta(message: Completion["choices"][number]["message"]): object {
  const { tool_calls: calls, ...rest } = message;
  return calls === undefined
    ? rest
    : { ...rest, tool_calls: calls.map((call, index) => ({ index, ...call })) };
}
