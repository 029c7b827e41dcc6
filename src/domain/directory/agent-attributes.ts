import type { z } from "zod";
import { AgentKind } from "../../db/generated/enums.ts";
import { createFieldError } from "../kernel/errors.ts";
import { handle, name, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Attributes } from "./resource.ts";

/** An agent's attributes as they are stored. */
export type AgentAttributes = {
  handle: string;
  name: string;
  kind: AgentKind;
  description: string | null;
  externalId: string | null;
  isActive: boolean;
};

const agentName = name(LIMITS.nameLength);
const description = text(LIMITS.textLength);

/**
 * Reads an agent's attributes, by the rules for agents. Without `active`, an agent is active.
 *
 * @throws {DomainError} validation_failed.
 */
export function readAgentAttributes(attributes: Attributes): AgentAttributes {
  const { agentUserName, displayName, agentType, description: said, externalId, active } = attributes;
  const known = parse(handle, "agentUserName", agentUserName);
  return {
    handle: known,
    name: isEmpty(displayName) ? known : parse(agentName, "displayName", displayName),
    kind: readKind(agentType),
    description: isEmpty(said) ? null : parse(description, "description", said),
    externalId: typeof externalId === "string" && externalId !== "" ? externalId : null,
    isActive: active !== false,
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "";
}

function readKind(value: unknown): AgentKind {
  if (value === undefined) return AgentKind.software;
  const kind = Object.values(AgentKind).find((one) => one === value);
  if (kind === undefined)
    throw createFieldError("agentType", `must be one of ${Object.values(AgentKind).join(", ")}`);
  return kind;
}

function parse<Output>(shape: z.ZodType<Output>, field: string, value: unknown): Output {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw createFieldError(field, parsed.error.issues[0]?.message ?? "is not valid");
}
