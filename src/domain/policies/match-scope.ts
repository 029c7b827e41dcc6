import { type Role, isAtLeast } from "../kernel/scopes.ts";
import type { EntityAgent, EvaluationRequest } from "./evaluation-request.ts";
import { type Glob, matchGlob, parseGlob } from "../kernel/glob.ts";
import type { PolicyResource, PolicyRule, PolicySubject } from "./policy-rule.ts";

/** Whether a request is in the scope of a policy: its subject, action and resource, not its condition. */
export type ScopeMatcher = (request: EvaluationRequest) => boolean;

/** Commands to agents and missions are meant by this word. */
export const COMMANDS = "commands";

/** Compiles the scope of a rule. A list is met by any of its members, a member by all that it says. */
export function compileScope({ subjects, actions, resources }: ScopeRule): ScopeMatcher {
  const subjectTests = subjects?.map(compileSubject) ?? null;
  const actionTests = actions.map(compileAction);
  const resourceTests = resources?.map(compileResource) ?? null;
  return (request) =>
    actionTests.some((test) => test(request)) &&
    (resourceTests === null || resourceTests.some((test) => test(request))) &&
    (subjectTests === null || subjectTests.some((test) => test(request)));
}

type ScopeRule = Pick<PolicyRule, "subjects" | "actions" | "resources">;
type TextTest = (text: string) => boolean;

function compileSubject({ type, name, labels, kind, role }: PolicySubject): ScopeMatcher {
  if (type === "member") return ({ subject }) => hasRole(subject.role, role);
  const test = compileText(name);
  if (type !== "agent") return ({ subject }) => subject.type === type && test(subject.id);
  const isAgent = compileAgent({ labels, kind });
  return ({ subject }) => subject.agent !== null && test(subject.agent.handle) && isAgent(subject.agent);
}

function hasRole(role: Role | null, least: Role | undefined): boolean {
  return role !== null && least !== undefined && isAtLeast(role, least);
}

/** Compiles what a rule says about actions. */
export function compileAction(pattern: string): (request: Pick<EvaluationRequest, "action">) => boolean {
  if (pattern === COMMANDS) return ({ action }) => action.isCommand;
  const test = compileText(pattern);
  return ({ action }) => test(action.name);
}

function compileResource({ type, name, labels, kind, server }: PolicyResource): ScopeMatcher {
  const test = compileText(name);
  if (type === "agent") {
    const isAgent = compileAgent({ labels, kind });
    return ({ resource }) =>
      resource.agent !== null && test(resource.agent.handle) && isAgent(resource.agent);
  }
  const testServer = compileText(server);
  return ({ resource }) => resource.type === type && test(resource.id) && testServer(getServer(resource.id));
}

/** The server of a tool: the text before the first dot. */
export function getServer(tool: string): string {
  const dot = tool.indexOf(".");
  return dot < 0 ? tool : tool.slice(0, dot);
}

function compileAgent({
  labels,
  kind,
}: Pick<PolicySubject, "labels" | "kind">): (agent: EntityAgent) => boolean {
  const tests = Object.entries(labels ?? {}).map(([label, pattern]) => ({
    label,
    test: compileText(pattern),
  }));
  return (agent) =>
    (kind === undefined || agent.kind === kind) &&
    tests.every(({ label, test }) => {
      const value = Object.hasOwn(agent.labels, label) ? agent.labels[label] : undefined;
      return value !== undefined && test(value);
    });
}

/** Without a pattern, any text. */
function compileText(pattern: string | undefined): TextTest {
  const glob = pattern === undefined ? ANY : parseGlob(pattern);
  // Patterns were checked when they were saved.
  if (typeof glob === "string") return () => false;
  return (text) => matchGlob(glob, text);
}

const ANY: Glob = ["", ""];
