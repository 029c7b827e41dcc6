import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { report } from "./telemetry.mjs";

new LangChainInstrumentation().manuallyInstrument(callbacks);

const getWeather = tool(() => "12 °C", {
  name: "get_weather",
  description: "The weather in a city",
  schema: z.object({ city: z.string() }),
});
const messages = [{ role: "user", content: "What is the weather in Bonn?" }];
const calls = [];

for (const useResponsesApi of [false, true]) {
  const llm = new ChatOpenAI({ model: "gpt-4.1-mini", useResponsesApi });
  const agent = createReactAgent({ llm, tools: [getWeather] });
  // With messages, the model's answers are streamed.
  for (const streamMode of [["values"], ["messages", "values"]]) {
    const states = [];
    for await (const [mode, data] of await agent.stream({ messages }, { streamMode })) {
      states.push(...(mode === "values" ? [data] : []));
    }
    const answers = states.at(-1).messages.filter((message) => message.usage_metadata !== undefined);
    for (const { usage_metadata: usage } of answers) {
      const { input_tokens: input, output_tokens: output, input_token_details: parts } = usage;
      calls.push({ model: llm.model, input, cached: parts?.cache_read ?? 0, output });
    }
  }
}
await report(calls);
