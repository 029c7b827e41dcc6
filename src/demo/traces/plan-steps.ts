import type { Attributes } from "../../domain/traces/telemetry.ts";
import { type Random, createRandom } from "../random.ts";
import { pickToolCall } from "../scenarios/tool-calls.ts";

/** A job of a demo agent, as its trace tells it. Times are milliseconds since 1970. */
export type TracedJob = {
  /** The task's id. */
  id: string;
  /** The agent's. */
  handle: string;
  title: string;
  result: string;
  /** Why it fails, or null. */
  failure: string | null;
  traceId: string;
  /** The span of the attempt; empty without one. */
  parentSpanId: string;
  fromMs: number;
  lastsMs: number;
};

/** A span of a job. */
export type Step = {
  name: string;
  /** As in OTLP: 1 internal, 3 to another service. */
  kind: 1 | 3;
  /** The step around it. Null for the job itself. */
  parent: Step | null;
  /** Shares of the job's time, from 0 to 1. */
  from: number;
  to: number;
  attributes: Attributes;
  failure: string | null;
};

const MODELS = [
  ["anthropic", "claude-sonnet-4-5"],
  ["openai", "gpt-5-mini"],
  ["anthropic", "claude-haiku-4-5"],
  ["gcp.gemini", "gemini-2.5-flash"],
] as const;

/** How often an agent lets another one help. */
const HELPED = 0.4;

/** Plans the steps of a job: rounds in which the agent asks a model and then calls a tool, and a last answer. */
export function planSteps(job: TracedJob): Step[] {
  const { id, handle, title, result, failure } = job;
  const random = createRandom(`steps of ${id}`);
  const root = createAgentStep(handle, null, [0, 1]);
  const whole: Step = {
    ...root,
    failure,
    attributes: [...root.attributes, ["aos.task_id", id], ["gen_ai.conversation.id", id]],
  };
  const steps = [whole];
  const rounds = random.whole(2, 5);
  const helped = random.chance(HELPED) ? random.whole(0, rounds - 1) : null;
  const share = 0.98 / (rounds + 1);
  for (let round = 0; round < rounds; round++) {
    const from = 0.01 + round * share;
    const time = [from, from + 0.95 * share] as const;
    const helper = round === helped ? createAgentStep("helper", whole, time) : null;
    if (helper !== null) steps.push(helper);
    const isLast = round === rounds - 1;
    steps.push(
      ...planRound(helper ?? whole, time, { handle, title, random, failure: isLast ? failure : null }),
    );
  }
  const said = failure === null ? result : `I could not finish: ${failure}`;
  return [...steps, createChatStep(whole, [0.99 - share, 0.99], { handle, random, asked: title, said })];
}

type Time = readonly [from: number, to: number];

type Round = { handle: string; title: string; random: Random; failure: string | null };

/** A model is asked what to do, and the tool that it names is called. */
function planRound(parent: Step, [from, to]: Time, { handle, title, random, failure }: Round): Step[] {
  const middle = from + (to - from) * random.between(0.4, 0.8);
  const call = pickToolCall(handle, random);
  const tool = call?.tool ?? "knowledge.search";
  const args = JSON.stringify(call?.arguments ?? { query: title });
  const chat = createChatStep(parent, [from, middle], {
    handle,
    random,
    asked: title,
    said: `${tool}(${args})`,
  });
  const attributes: Attributes = [
    ["gen_ai.operation.name", "execute_tool"],
    ["gen_ai.tool.name", tool],
    ["gen_ai.tool.call.arguments", args],
    ...(failure === null
      ? [["gen_ai.tool.call.result", '{"ok":true}'] as const]
      : [["error.type", "tool_error"] as const]),
  ];
  return [chat, { name: `execute_tool ${tool}`, kind: 3, parent, failure, from: middle, to, attributes }];
}

function createAgentStep(handle: string, parent: Step | null, [from, to]: Time): Step {
  return {
    name: `invoke_agent ${handle}`,
    kind: 1,
    parent,
    from,
    to,
    failure: null,
    // Names of agents that are not the sender's are only attributes.
    attributes: [["gen_ai.operation.name", "invoke_agent"]],
  };
}

type Chat = { handle: string; random: Random; asked: string; said: string };

function createChatStep(parent: Step, [from, to]: Time, { handle, random, asked, said }: Chat): Step {
  const [provider, model] = createRandom(`model of ${handle}`).pick(MODELS);
  const input = random.whole(900, 9000);
  return {
    name: `chat ${model}`,
    kind: 3,
    parent,
    from,
    to,
    failure: null,
    attributes: [
      ["gen_ai.operation.name", "chat"],
      ["gen_ai.provider.name", provider],
      ["gen_ai.request.model", model],
      ["gen_ai.response.model", model],
      ["gen_ai.usage.input_tokens", input],
      ["gen_ai.usage.cache_read.input_tokens", Math.round(input * random.between(0, 0.8))],
      ["gen_ai.usage.output_tokens", random.whole(40, 900)],
      ["gen_ai.input.messages", toMessages("user", asked)],
      ["gen_ai.output.messages", toMessages("assistant", said)],
    ],
  };
}

function toMessages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}
