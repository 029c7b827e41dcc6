import { Ajv } from "ajv";

const TEXT = { type: "string", minLength: 1 };

/**
 * What coding agents of the common dialect read before a tool: a decision in words. Nothing else here, an empty object
 * neither, is a decision for them. They ignore unknown members; ours must have none.
 */
const COMMON = {
  type: "object",
  additionalProperties: false,
  required: ["hookSpecificOutput"],
  properties: {
    hookSpecificOutput: {
      type: "object",
      additionalProperties: false,
      required: ["hookEventName", "permissionDecision", "permissionDecisionReason"],
      properties: {
        hookEventName: { const: "PreToolUse" },
        permissionDecision: { enum: ["allow", "deny", "ask", "defer"] },
        permissionDecisionReason: TEXT,
        updatedInput: { type: "object" },
        additionalContext: TEXT,
      },
    },
  },
};

/**
 * What those of the strict dialect accept: an empty object for a tool that may run as it is, a denial, or an allowance
 * with the tool's new input. Anything else is a failed hook, which lets the tool run.
 */
const STRICT = {
  oneOf: [
    { type: "object", maxProperties: 0 },
    strictOutput("deny", {}),
    strictOutput("allow", { updatedInput: { type: "object" } }),
  ],
};

/** An output with this decision and all of these members besides, and none else. */
function strictOutput(decision: string, more: object): object {
  const properties = {
    hookEventName: { const: "PreToolUse" },
    permissionDecision: { const: decision },
    permissionDecisionReason: TEXT,
    ...more,
  };
  const output = {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
  return {
    type: "object",
    additionalProperties: false,
    required: ["hookSpecificOutput"],
    properties: { hookSpecificOutput: output },
  };
}

/** What either reads after a tool: nothing to say. */
const AFTER = { type: "object", maxProperties: 0 };

const ajv = new Ajv();

/** Whether an output is one that coding agents of a dialect understand. */
export const HOOK_OUTPUTS = {
  common: ajv.compile(COMMON),
  strict: ajv.compile(STRICT),
  after: ajv.compile(AFTER),
};

/** The dialects, with what their coding agents send besides. */
export const DIALECTS = {
  common: { prompt_id: "p-1", effort: { level: "high" }, agent_id: "a-1", agent_type: "worker" },
  strict: { turn_id: "1", model: "m", transcript_path: null },
} as const;

export type Dialect = keyof typeof DIALECTS;
