import fc from "fast-check";
import { createRandom } from "../../src/demo/random.ts";
import { type OtlpMessage, textAttribute } from "./otlp.ts";
import { createCallSpan } from "./trace-scene.ts";

/** What one copy of a span says that it used. */
const copy = fc.record(
  { input: fc.nat(1000), output: fc.nat(1000), cost: fc.constantFrom(0, 0.25, 1.000001) },
  { requiredKeys: [] },
);

const span = fc.record({
  trace: fc.nat(1),
  /** Another span of the history, if that comes before it in the list; else none that is ever sent. */
  parent: fc.option(fc.nat(9)),
  op: fc.constantFrom("chat", "chat", "embeddings", "invoke_agent", "invoke_agent", "x"),
  model: fc.constantFrom("priced", "unpriced"),
  copies: fc.array(copy, { minLength: 1, maxLength: 3 }),
  sender: fc.constantFrom(0, 0, 0, 1),
});

/** Spans of two traces, and the order in which they are sent. */
export const usageHistory = fc.record({
  spans: fc.array(span, { minLength: 1, maxLength: 10 }),
  conversations: fc.tuple(...[0, 1].map(() => fc.constantFrom(null, "one", "one", "two"))),
  tasks: fc.tuple(fc.boolean(), fc.boolean()),
  /** Which spans say the conversation and the task. */
  tellers: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  /** The conversation of which a log says a call too. */
  logged: fc.constantFrom(null, "one"),
  orders: fc.tuple(fc.nat(), fc.nat()),
});

export type UsageHistory = typeof usageHistory extends fc.Arbitrary<infer Value> ? Value : never;

/** What is sent at once, by one of the senders; null is the log's call. */
export type Batch = { sender: number; spans: OtlpMessage[] } | null;

const TRACES = ["a".repeat(32), "b".repeat(32)];

/** Makes the batches that four connections send, each one after the other. All copies are sent, some several times. */
export function scheduleHistory(history: UsageHistory, order: number, taskId: string): Batch[][] {
  const { next: random } = createRandom(`${order}`);
  const sent = history.spans.flatMap((one, at) => {
    const copies = one.copies.map((_, copyAt) => ({
      sender: one.sender,
      spans: [toSpan(history, { at, copyAt, taskId })],
    }));
    return copies.flatMap((single) => (random() < 0.3 ? [single, single] : [single]));
  });
  const shuffled: Batch[] = shuffle([...sent, ...(history.logged === null ? [] : [null])], random);
  const connections: Batch[][] = [[], [], [], []];
  for (const batch of shuffled) {
    const connection = connections[Math.floor(random() * connections.length)] ?? [];
    const last = connection.at(-1);
    if (batch !== null && last && last.sender === batch.sender && random() < 0.5)
      last.spans.push(...batch.spans);
    else connection.push(batch && { ...batch, spans: [...batch.spans] });
  }
  return connections;
}

function toSpan(
  { spans, conversations, tasks, tellers }: UsageHistory,
  { at, copyAt, taskId }: { at: number; copyAt: number; taskId: string },
): OtlpMessage {
  const one = spans[at];
  if (one === undefined) throw new Error("no such span");
  const { trace, parent, op, model, copies } = one;
  const conversation = conversations[trace];
  // At least the first span of a trace says what belongs to it.
  const tells = tellers[at] === true || spans.findIndex((other) => other.trace === trace) === at;
  const attributes = [
    ...(tells && conversation ? [textAttribute("gen_ai.conversation.id", conversation)] : []),
    ...(tells && tasks[trace] === true ? [textAttribute("aos.task_id", taskId)] : []),
  ];
  const isKnown = parent !== null && parent <= at && spans[parent]?.trace === trace;
  return createCallSpan(
    { op, model, ...copies[copyAt], attributes },
    {
      ...{ traceId: TRACES[trace], spanId: toSpanId(at) },
      ...(parent !== null && { parentSpanId: isKnown ? toSpanId(parent) : toSpanId(99) }),
    },
  );
}

function toSpanId(at: number): string {
  return `${at + 1}`.padStart(16, "0");
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
