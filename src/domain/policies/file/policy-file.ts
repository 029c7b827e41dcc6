import { LineCounter, type Document, isAlias, isNode, parseDocument, stringify, visit } from "yaml";
import { z } from "zod";
import type { FieldError } from "../../kernel/errors.ts";
import { fieldErrors } from "../../kernel/field-errors.ts";
import {
  type ApprovalTerms,
  type PolicyResource,
  type PolicyRule,
  type PolicySubject,
  policyRule,
} from "../policy-rule.ts";

/** Something that is wrong in a file. Lines and columns begin with 1. */
export type PolicyFileProblem = { line: number; column: number; message: string };

const MAX_LENGTH = 4_194_304;
const VERSION = 1;

const shape = z.strictObject({ version: z.literal(VERSION), policies: z.array(z.unknown()) });

/** The names of approval fields in a file. */
const APPROVAL_NAMES = { ttl_s: "ttlSeconds", valid_s: "validSeconds" } as const;

/**
 * Writes rules as YAML: in order of their names, without what is said by default, so that a file changes only where a
 * rule does.
 */
export function formatPolicyFile(rules: readonly PolicyRule[]): string {
  const policies = rules.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(toFileRule);
  return stringify({ version: VERSION, policies }, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** In one order of fields, whatever order they were stored in. */
function toFileRule(rule: PolicyRule): Record<string, unknown> {
  const { name, description, effect, subjects, actions, resources, when, approval, enabled, mode } = rule;
  const fields = {
    ...{ name, description, effect, subjects: subjects?.map(toFileEntity), actions },
    ...{ resources: resources?.map(toFileEntity), when },
    ...(approval !== null && toFileApproval(approval)),
    ...(!enabled && { enabled }),
    ...(mode !== "enforce" && { mode }),
  };
  return omitUnsaid(fields);
}

function toFileEntity(entity: PolicySubject | PolicyResource): Record<string, unknown> {
  const { type, name, labels, kind, ...others } = entity;
  return omitUnsaid({ type, name, labels, kind, ...others });
}

function omitUnsaid(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Without the defaults. */
function toFileApproval(approval: ApprovalTerms): { approval?: object } {
  const { approval: usual } = policyRule.parse({ name: "x", effect: "ask", actions: ["*"] });
  const { ttlSeconds, validSeconds, ...others } = approval;
  const named = { ...others, ttl_s: ttlSeconds, valid_s: validSeconds };
  const defaults: Record<string, unknown> = {
    ...usual,
    ttl_s: usual?.ttlSeconds,
    valid_s: usual?.validSeconds,
  };
  const said = Object.entries(named).filter(([name, value]) => value !== defaults[name]);
  return said.length === 0 ? {} : { approval: Object.fromEntries(said) };
}

/** Parses a file of rules, in YAML or JSON. Returns the rules, or all that is wrong with it. */
export function parsePolicyFile(text: string): { rules: PolicyRule[] } | { problems: PolicyFileProblem[] } {
  if (text.length > MAX_LENGTH) {
    return { problems: [{ line: 1, column: 1, message: `must have at most ${MAX_LENGTH} characters` }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, strict: true });
  const file: PolicyFile = { document, lines };
  const broken = document.errors.map(({ pos, message }) =>
    toProblem(file, pos[0], message.split("\n")[0] ?? message),
  );
  const problems = broken.length > 0 ? broken : findForeign(file);
  if (problems.length > 0) return { problems };
  const parsed = shape.safeParse(document.toJS());
  if (parsed.success) return parseRules(file, parsed.data.policies);
  return {
    problems: fieldErrors(parsed.error).map(({ field, detail }) =>
      toProblemAt(file, field, field === "" ? detail : `${field}: ${detail}`),
    ),
  };
}

/** A file whose syntax was parsed. */
type PolicyFile = { document: Document; lines: LineCounter };

function parseRules(
  file: PolicyFile,
  policies: readonly unknown[],
): { rules: PolicyRule[] } | { problems: PolicyFileProblem[] } {
  const problems: PolicyFileProblem[] = [];
  const rules = new Map<string, PolicyRule>();
  for (const [index, policy] of policies.entries()) {
    const parsed = policyRule.safeParse(fromFileRule(policy));
    const own = `policies.${index}`;
    if (!parsed.success) {
      problems.push(...fieldErrors(parsed.error).map((error) => toRuleProblem(file, own, error)));
    } else if (rules.has(parsed.data.name)) {
      problems.push(toProblemAt(file, `${own}.name`, "name: is the name of another policy"));
    } else {
      rules.set(parsed.data.name, parsed.data);
    }
  }
  return problems.length > 0 ? { problems } : { rules: [...rules.values()] };
}

function toRuleProblem(file: PolicyFile, own: string, { field, detail }: FieldError): PolicyFileProblem {
  const shown = toFileField(field);
  return shown === ""
    ? toProblemAt(file, own, detail)
    : toProblemAt(file, `${own}.${shown}`, `${shown}: ${detail}`);
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

/** Aliases and tags, which would let a short file become a long one, or something else than data. */
function findForeign(file: PolicyFile): PolicyFileProblem[] {
  const found: PolicyFileProblem[] = [];
  visit(file.document, {
    Node: (_key, node) => {
      const at = node.range?.[0] ?? 0;
      if (isAlias(node)) found.push(toProblem(file, at, "aliases can't be used"));
      else if (typeof node.tag === "string") found.push(toProblem(file, at, "tags can't be used"));
    },
  });
  return found;
}

/** A problem at the last part of a path that exists. */
function toProblemAt(file: PolicyFile, path: string, message: string): PolicyFileProblem {
  const parts = path === "" ? [] : path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const keys = parts.slice(0, length).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const node = file.document.getIn(keys, true);
    if (isNode(node)) return toProblem(file, node.range?.[0] ?? 0, message);
  }
  return toProblem(file, 0, message);
}

function toProblem({ lines }: PolicyFile, offset: number, message: string): PolicyFileProblem {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1), message };
}
