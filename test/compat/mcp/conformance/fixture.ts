import { setTimeout as sleep } from "node:timers/promises";
import { type DeferredCall, takesDeferredCalls, toTask } from "../../../../compat/mcp/deferred-call.ts";
import type { Call } from "../../../../compat/mcp/call.ts";
import type { Result } from "../../../../compat/mcp/method.ts";
import type { Surface } from "../../../../compat/mcp/methods.ts";
import type { Prompt } from "../../../../compat/mcp/prompt-methods.ts";
import { RPC } from "../../../../compat/mcp/protocol.ts";
import { RpcError } from "../../../../compat/mcp/rpc-error.ts";
import { requireTasks } from "../../../../compat/mcp/task-methods.ts";
import type { Tool } from "../../../../compat/mcp/tool.ts";
import { createNotFoundError } from "../../../../src/domain/kernel/errors.ts";

/** One red pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const IMAGE = { type: "image", data: PNG, mimeType: "image/png" };

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const FAILED = { content: [textOf("This tool intentionally returns an error.")], isError: true };

const deferred = new Map<string, Slow>();

type Slow = { createdAt: string; endsAtMs: number; isCancelled: boolean; result: Result };

/** What the suite expects of a server, as far as ours has it. */
export const FIXTURE: Surface = {
  instructions: "For tests of conformance.",
  tools: [
    createFixtureTool("test_simple_text", () => [textOf("This is a simple text response for testing.")]),
    createFixtureTool("test_image_content", () => [IMAGE]),
    createFixtureTool("test_audio_content", () => [
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    ]),
    createFixtureTool("test_embedded_resource", () => [embed("test://embedded-resource")]),
    createFixtureTool("test_multiple_content_types", () => [
      ...[textOf("Multiple content types test:"), IMAGE, embed("test://mixed-content-resource")],
    ]),
    createFixtureTool("json_schema_2020_12_tool", () => [textOf("ok")], SCHEMA),
    createFixtureTool("greet", ({ name }) => [textOf(`Hello, ${String(name)}!`)]),
    { ...createFixtureTool("test_error_handling", () => []), run: () => Promise.resolve(FAILED) },
    createFixtureTool("test_logging_tool", () => [textOf("ok")]),
    createFixtureTool("test_streaming_elicitation", () => [textOf("ok")]),
    { ...createFixtureTool("test_missing_capability", () => []), run: async (call) => requireSampling(call) },
    createSlowTool("slow_compute", { content: [textOf("done")] }),
    createRequiredTool(createSlowTool("failing_job", FAILED)),
  ],
  resources: {
    templates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
    list: () =>
      Promise.resolve([
        { uri: "test://static-text", name: "text", mimeType: "text/plain" },
        { uri: "test://static-binary", name: "binary", mimeType: "image/png" },
      ]),
    read: async (_call, uri) => [readFixture(uri)],
    readVersion: (_call, uri) => Promise.reject(createNotFoundError(uri)),
  },
  prompts: [
    createPrompt("test_simple_prompt", [], () => [textOf("This is a simple prompt for testing.")]),
    createPrompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
      textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ]),
    createPrompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) => [
      embed(resourceUri),
    ]),
    createPrompt("test_prompt_with_image", [], () => [IMAGE]),
  ],
  deferredCalls: {
    read: async (_call, id) => readDeferred(id),
    cancel: async (_call, id) => {
      const found = deferred.get(id);
      if (found === undefined) throw createNotFoundError("task");
      if (readDeferred(id).status === "working") found.isCancelled = true;
    },
  },
};

function textOf(text: string) {
  return { type: "text", text };
}

function embed(uri: string) {
  return { type: "resource", resource: { uri, mimeType: "application/json", text: "{}" } };
}

function createFixtureTool(
  name: string,
  answer: (given: Record<string, unknown>) => object[],
  inputSchema: object = { type: "object" },
): Tool {
  return {
    ...{ name, scopes: [], usualWaitSeconds: 0, isDeferrable: false },
    definition: { name, description: name, inputSchema },
    run: (_call, given) => Promise.resolve({ content: answer({ ...given }) }),
  };
}

/** A tool that takes as many seconds as its argument says, and can be deferred. */
function createSlowTool(name: string, result: Result): Tool {
  return {
    ...createFixtureTool(name, () => []),
    isDeferrable: true,
    run: async ({ era }, given) => {
      const { seconds = 1 } = given as { seconds?: number };
      if (!takesDeferredCalls(era)) return sleep(seconds * 1000, result);
      const id = crypto.randomUUID();
      const [createdAt, endsAtMs] = [new Date().toISOString(), Date.now() + seconds * 1000];
      deferred.set(id, { createdAt, endsAtMs, isCancelled: false, result });
      return { resultType: "task", ...toTask(readDeferred(id)) };
    },
  };
}

/** A tool for clients alone that can ask later. */
function createRequiredTool(tool: Tool): Tool {
  return {
    ...tool,
    run: async (call, given) => {
      requireTasks(call);
      return tool.run(call, given);
    },
  };
}

function requireSampling({ era }: Call): Result {
  if (era.name === "modern" && "sampling" in era.capabilities) return { content: [textOf("ok")] };
  const data = { requiredCapabilities: { sampling: {} } };
  throw new RpcError(RPC.missingCapability, "The client must declare sampling.", { status: 400, data });
}

function readDeferred(id: string): DeferredCall {
  const found = deferred.get(id);
  if (found === undefined) throw createNotFoundError("task");
  const { createdAt, endsAtMs, isCancelled, result } = found;
  const isOver = Date.now() >= endsAtMs;
  const status = isCancelled ? "cancelled" : isOver ? "completed" : "working";
  return { id, status, message: "Working.", createdAt, updatedAt: createdAt, result };
}

function readFixture(uri: string): object {
  if (uri === "test://static-text") return { uri, mimeType: "text/plain", text: "Some text." };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PNG };
  const id = /^test:\/\/template\/(?<id>\w+)\/data$/.exec(uri)?.groups?.["id"];
  if (id === undefined) throw createNotFoundError("resource");
  return { uri, mimeType: "application/json", text: JSON.stringify({ id }) };
}

function createPrompt(
  name: string,
  names: string[],
  write: (given: Readonly<Record<string, string>>) => object[],
): Prompt {
  return {
    ...{ name, title: name, description: name },
    arguments: names.map((argument) => ({ name: argument, description: argument, required: true })),
    write: (given) => write(given).map((content) => ({ role: "user", content })),
  };
}
