import { openai } from "ai-sdk-openai-3";
import { embed, generateText, stepCountIs, streamText, tool } from "ai-6";
import { z } from "zod";
import { report } from "./telemetry.mjs";

const getWeather = tool({
  description: "The weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: () => "12 °C",
});
const experimental_telemetry = { isEnabled: true };
const calls = [];

for (const model of [openai("gpt-4.1-mini"), openai.chat("gpt-4.1-mini")]) {
  const request = {
    ...{ model, prompt: "What is the weather in Bonn?", tools: { get_weather: getWeather } },
    ...{ stopWhen: stepCountIs(3), experimental_telemetry },
  };
  for (const result of [await generateText(request), streamText(request)]) {
    for (const { usage } of await result.steps) {
      const { inputTokens: input, outputTokens: output, inputTokenDetails: parts } = usage;
      calls.push({ model: model.modelId, input, cached: parts.cacheReadTokens ?? 0, output });
    }
  }
}
const model = openai.embedding("text-embedding-3-small");
const { usage } = await embed({ model, value: "Bonn", experimental_telemetry });
calls.push({ model: model.modelId, input: usage.tokens, cached: 0, output: 0 });
await report(calls);
