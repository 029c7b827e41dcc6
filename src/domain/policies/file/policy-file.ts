import { createHash } from "node:crypto";
import { z } from "zod";
import type { FieldError } from "../../kernel/errors.ts";
import { fieldErrors } from "../../kernel/field-errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type PolicyRule, policyRule } from "../policy-rule.ts";
import { type PolicyFileProblem, type PolicySyntax, parsePolicySyntax } from "./policy-syntax.ts";

const MAX_LENGTH = 4_194_304;

const shape = z.strictObject({
  version: z.literal(1),
  policies: z.array(z.unknown()).max(LIMITS.policies),
});

/** The names of approval fields in a file. */
const APPROVAL_NAMES = { ttl_s: "ttlSeconds", valid_s: "validSeconds" } as const;

/** A file's rules, and the SHA-256 of its text, in hex. */
export type PolicyFile = { rules: PolicyRule[]; hash: string };

/** A file's rules, or what is wrong with it: at most a hundred problems. */
export type ParsedPolicyFile = PolicyFile | { problems: PolicyFileProblem[] };

/** Parses a file of rules, in YAML or JSON, in linear time. */
export function parsePolicyFile(text: string): ParsedPolicyFile {
  if (text.length > MAX_LENGTH) {
    return { problems: [{ line: 1, column: 1, message: `must have at most ${MAX_LENGTH} characters` }] };
  }
  const syntax = parsePolicySyntax(text);
  if ("problems" in syntax) return syntax;
  const parsed = shape.safeParse(syntax.value);
  if (parsed.success) {
    const rules = parseRules(syntax, parsed.data.policies);
    return "problems" in rules ? rules : { ...rules, hash: createHash("sha256").update(text).digest("hex") };
  }
  return {
    problems: fieldErrors(parsed.error).map(({ field, detail }) =>
      syntax.place(field, field === "" ? detail : `${field}: ${detail}`),
    ),
  };
}

function parseRules(
  syntax: PolicySyntax,
  policies: readonly unknown[],
): { rules: PolicyRule[] } | { problems: PolicyFileProblem[] } {
  const problems: PolicyFileProblem[] = [];
  const rules = new Map<string, PolicyRule>();
  for (const [index, policy] of policies.entries()) {
    if (problems.length >= LIMITS.fieldErrors) break;
    const parsed = policyRule.safeParse(fromFileRule(policy));
    const own = `policies.${index}`;
    if (!parsed.success) {
      problems.push(...fieldErrors(parsed.error).map((error) => toRuleProblem(syntax, own, error)));
    } else if (rules.has(parsed.data.name)) {
      problems.push(syntax.place(`${own}.name`, "name: is the name of another policy"));
    } else {
      rules.set(parsed.data.name, parsed.data);
    }
  }
  return problems.length > 0
    ? { problems: problems.slice(0, LIMITS.fieldErrors) }
    : { rules: [...rules.values()] };
}

function toRuleProblem(
  { place }: PolicySyntax,
  own: string,
  { field, detail }: FieldError,
): PolicyFileProblem {
  const shown = toFileField(field);
  return shown === "" ? place(own, detail) : place(`${own}.${shown}`, `${shown}: ${detail}`);
}

function fromFileRule(policy: unknown): unknown {
  if (typeof policy !== "object" || policy === null || !("approval" in policy)) return policy;
  const { approval } = policy;
  if (typeof approval !== "object" || approval === null) return policy;
  const renamed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>({ ...approval }))
    renamed[FROM_FILE.get(name) ?? name] = value;
  return { ...policy, approval: renamed };
}

const FROM_FILE = new Map<string, string>(Object.entries(APPROVAL_NAMES));
const TO_FILE = new Map<string, string>(
  Object.entries(APPROVAL_NAMES).map(([inFile, field]) => [field, inFile]),
);

function toFileField(field: string): string {
  return field
    .split(".")
    .map((part) => TO_FILE.get(part) ?? part)
    .join(".");
}
