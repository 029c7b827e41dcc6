import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
import { z } from "zod";
import { provider, report } from "./telemetry.mjs";

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);

const getWeather = agents.tool({
  name: "get_weather",
  description: "The weather in a city",
  parameters: z.object({ city: z.string() }),
  execute: () => "12 °C",
});
const model = "gpt-4.1-mini";
const agent = new agents.Agent({ name: "weather", model, tools: [getWeather] });
const calls = [];

for (const api of ["responses", "chat_completions"]) {
  for (const stream of [false, true]) {
    agents.setOpenAIAPI(api);
    const result = await agents.run(agent, "What is the weather in Bonn?", { stream });
    if (stream) await result.completed;
    for (const { usage } of result.rawResponses) {
      const { inputTokens: input, outputTokens: output, inputTokensDetails: parts } = usage;
      calls.push({ model, input, cached: parts[0]?.cached_tokens ?? 0, output });
    }
  }
}
await agents.getGlobalTraceProvider().forceFlush();
await report(calls);
