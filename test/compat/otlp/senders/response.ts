import { ANSWER, ARGUMENTS, type Asked, type Used } from "./used.ts";

type Response = ReturnType<typeof createResponse>;
type Event = Record<string, unknown> & { type: string };

/** Creates an answer of OpenAI's Responses. */
export function createResponse({ model, isInformed }: Asked, used: Used) {
  const id = used.input;
  const output = isInformed
    ? {
        ...{ id: `msg_${id}`, type: "message", status: "completed", role: "assistant" },
        content: [{ type: "output_text", text: ANSWER, annotations: [] }],
      }
    : {
        ...{ id: `fc_${id}`, type: "function_call", status: "completed", call_id: "call_1" },
        ...{ name: "get_weather", arguments: ARGUMENTS },
      };
  return {
    ...{ id: `resp_${id}`, object: "response", created_at: 1_795_000_000, status: "completed", model },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [] },
    ...{ parallel_tool_calls: true, temperature: 1, top_p: 1, tool_choice: "auto" },
    output: [output],
    usage: {
      input_tokens: used.input,
      input_tokens_details: { cached_tokens: used.cached },
      output_tokens: used.output,
      output_tokens_details: { reasoning_tokens: used.reasoning },
      total_tokens: used.input + used.output,
    },
  };
}

/** Writes a response as the events of a stream, the last of which says what was used. */
export function toEvents(response: Response): string {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events: Event[] = [
    { type: "response.created", response: begun },
    ...response.output.flatMap((item, index) => toItemEvents(item, index)),
    { type: "response.completed", response },
  ];
  return events
    .map((event, sequence) => ({ ...event, sequence_number: sequence }))
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

function toItemEvents(item: Response["output"][number], output_index: number): Event[] {
  const place = { item_id: item.id, output_index };
  const added = { type: "response.output_item.added", output_index };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const delta = { ...place, type: "response.function_call_arguments.delta", delta: ARGUMENTS };
    const end = { ...place, type: "response.function_call_arguments.done", arguments: ARGUMENTS };
    return [{ ...added, item: { ...item, arguments: "" } }, delta, end, done];
  }
  const text = { ...place, content_index: 0 };
  return [
    { ...added, item: { ...item, content: [] } },
    {
      ...text,
      type: "response.content_part.added",
      part: { type: "output_text", text: "", annotations: [] },
    },
    { ...text, type: "response.output_text.delta", delta: ANSWER },
    { ...text, type: "response.output_text.done", text: ANSWER },
    {
      ...text,
      type: "response.content_part.done",
      part: { type: "output_text", text: ANSWER, annotations: [] },
    },
    done,
  ];
}
