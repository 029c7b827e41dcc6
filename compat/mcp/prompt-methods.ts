import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { Call } from "./call.ts";
import type { Method, Result } from "./method.ts";
import { LIST_TTL_MS, RPC } from "./protocol.ts";
import { RpcError, quote } from "./rpc-error.ts";

/** A text that users give their model. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** Writes it, with the arguments that were given. */
  write: (given: Readonly<Record<string, string>>) => object[];
};

/** The methods for prompts, by name. */
export function createPromptMethods(prompts: readonly Prompt[]): [string, Method][] {
  const listed = prompts.map(({ write: _write, ...definition }) => definition);
  return [
    ["prompts/list", { ttlMs: LIST_TTL_MS, run: () => ({ prompts: listed }) }],
    ["prompts/get", { run: (call) => getPrompt(prompts, call) }],
  ];
}

/** @throws {RpcError} invalidParams. */
function getPrompt(prompts: readonly Prompt[], { params }: Call): Result {
  const { name } = params;
  if (typeof name !== "string") throw new RpcError(RPC.invalidParams, "name must be the name of a prompt.");
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) throw new RpcError(RPC.invalidParams, `There is no prompt ${quote(name)}.`);
  const { description } = prompt;
  return { description, messages: prompt.write(readArguments(prompt, params)) };
}

function readArguments(prompt: Prompt, { arguments: given = {} }: Call["params"]): Record<string, string> {
  if (!isObject(given)) throw new RpcError(RPC.invalidParams, "arguments must be an object.");
  const read: Record<string, string> = {};
  for (const { name, required } of prompt.arguments) {
    const value = given[name];
    if (value === undefined && !required) continue;
    if (typeof value !== "string" || value === "") {
      throw new RpcError(RPC.invalidParams, `The argument ${name} must be a text.`);
    }
    read[name] = value;
  }
  return read;
}
