import type { EvaluationRequest } from "./evaluation-request.ts";
import type { Steps } from "../kernel/turns.ts";
import { type Glob, parseGlob } from "../kernel/glob.ts";
import { COMMANDS } from "./match-scope.ts";
import type { PolicyResource, PolicyRule, PolicySubject } from "./policy-rule.ts";

/** What a policy is found by: the first of these whose every entry begins with literal text. */
type Dimension = "resource" | "subject" | "action";

/** A text that must be equal, or begin with another one. */
type Key = { dimension: Dimension; text: string; isWhole: boolean };

/** Policies by the literal texts that their scopes begin with. */
export type PolicyIndex<Policy> = {
  /** Returns all whose scope a request may be in, and some others, without duplicates. */
  find: (request: EvaluationRequest) => Policy[];
};

type IndexedRule = Pick<PolicyRule, "subjects" | "actions" | "resources">;

/** Whether a policy is found by its actions only, or by nothing, so that it is looked at in most checks. */
export function isBroad(rule: IndexedRule): boolean {
  return listKeys(rule).every(({ dimension }) => dimension === "action");
}

/** Counts the texts that a policy is found by. */
export function countIndexKeys(rule: IndexedRule): number {
  return listKeys(rule).length;
}

/** Indexes policies, so that a check looks at few of many. */
export function* indexPolicies<Policy>(
  policies: readonly Policy[],
  getRule: (policy: Policy) => IndexedRule,
): Steps<PolicyIndex<Policy>> {
  const buckets = {
    resource: createBuckets<Policy>(),
    subject: createBuckets<Policy>(),
    action: createBuckets<Policy>(),
  };
  const others: Policy[] = [];
  for (const policy of policies) {
    const keys = listKeys(getRule(policy));
    if (keys.length === 0) others.push(policy);
    for (const key of keys) addTo(buckets[key.dimension], key, policy);
    yield;
  }
  return {
    find: (request) => {
      const found = new Set(others);
      collect(buckets.resource, getResourceText(request), found);
      collect(buckets.subject, getSubjectText(request), found);
      collect(buckets.action, request.action.name, found);
      if (request.action.isCommand) collect(buckets.action, COMMANDS, found);
      return [...found];
    },
  };
}

/** Separates types from names, which may contain any other character. */
const SEPARATOR = "\u0000";

function getResourceText({ resource }: EvaluationRequest): string {
  return toText(resource.agent === null ? resource.type : "agent", resource.agent?.handle ?? resource.id);
}

function getSubjectText({ subject }: EvaluationRequest): string {
  return toText(subject.agent === null ? subject.type : "agent", subject.agent?.handle ?? subject.id);
}

function toText(type: string, name: string): string {
  return `${type}${SEPARATOR}${name}`;
}

function listKeys({ subjects, actions, resources }: IndexedRule): Key[] {
  return (
    toKeys("resource", resources?.map(getResourceKey)) ??
    toKeys("subject", subjects?.map(getSubjectKey)) ??
    toKeys("action", actions.map(getActionKey)) ??
    []
  );
}

type KeyText = Omit<Key, "dimension">;

/** Null if an entry has no key: any text may be meant. */
function toKeys(dimension: Dimension, texts: (KeyText | null)[] | undefined): Key[] | null {
  const known = texts?.filter((text) => text !== null);
  if (texts === undefined || known === undefined || known.length < texts.length) return null;
  return known.map((text) => ({ dimension, ...text }));
}

function getResourceKey({ type, name, server }: PolicyResource): KeyText | null {
  return toKey(type, name) ?? (server === undefined ? null : toServerKey(type, server));
}

/** Tools of a server have its name up to a dot, and one without a dot is the server itself. */
function toServerKey(type: string, server: string): KeyText | null {
  const key = toKey(type, server);
  return key && { ...key, isWhole: false };
}

function getSubjectKey({ type, name }: PolicySubject): KeyText | null {
  return toKey(type, name);
}

function getActionKey(pattern: string): KeyText | null {
  return toPrefix(pattern, "");
}

function toKey(type: string, pattern: string | undefined): KeyText | null {
  return pattern === undefined ? null : toPrefix(pattern, `${type}${SEPARATOR}`);
}

/** Null if the pattern begins with a star. */
function toPrefix(pattern: string, before: string): KeyText | null {
  const glob: Glob | string = parseGlob(pattern);
  if (typeof glob === "string" || glob[0] === "") return null;
  return { text: `${before}${glob[0]}`, isWhole: glob.length === 1 };
}

type Buckets<Policy> = { whole: Map<string, Policy[]>; byLength: Map<number, Map<string, Policy[]>> };

function createBuckets<Policy>(): Buckets<Policy> {
  return { whole: new Map(), byLength: new Map() };
}

function addTo<Policy>({ whole, byLength }: Buckets<Policy>, { text, isWhole }: Key, policy: Policy): void {
  const prefixes = byLength.get(text.length) ?? new Map<string, Policy[]>();
  if (!isWhole) byLength.set(text.length, prefixes);
  const bucket = isWhole ? whole : prefixes;
  const others = bucket.get(text);
  if (others === undefined) bucket.set(text, [policy]);
  else others.push(policy);
}

function collect<Policy>({ whole, byLength }: Buckets<Policy>, text: string, found: Set<Policy>): void {
  for (const policy of whole.get(text) ?? []) found.add(policy);
  for (const [length, prefixes] of byLength) {
    if (length > text.length) continue;
    for (const policy of prefixes.get(text.slice(0, length)) ?? []) found.add(policy);
  }
}
