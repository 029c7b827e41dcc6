import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { countRequests } from "../kernel/read-bytes.ts";
import type { Steps } from "../kernel/turns.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { decide } from "../policies/decide.ts";
import type { Entity, EvaluationRequest } from "../policies/evaluation-request.ts";
import { isAgentType } from "./entity-name.ts";
import type { GatePolicies } from "./gate-policies.ts";
import { type GateState, readGateState } from "./gate-state.ts";
import { isListed } from "./is-listed.ts";
import { type Candidate, listActionCandidates, listEntityCandidates } from "./list-candidates.ts";
import { type Search, type SearchedPart, parseSearch, writePlace } from "./parse-search.ts";
import { requireKnown } from "./require-known.ts";
import { findEntity, isCommand, resolveEntities } from "./resolve-entities.ts";
import { selectPolicies } from "./select-policies.ts";

const shape = z.object({
  of: z.enum(["subject", "resource", "action"]),
  requestText: z.string(),
  limit: z.int().min(LIMITS.searchPage.min).nullish(),
  after: z.string().nullish(),
});

/** A page of what policies allow. */
export type SearchPage = {
  /** Ids of subjects or resources, or names of actions. */
  names: string[];
  /** Where the next page begins; null on the last one. A page may be shorter than its limit. */
  next: string | null;
};

/**
 * Searches the subjects, resources or actions for which a request would be allowed by policies alone, among
 * those that the workspace knows. What people are asked about is not allowed.
 *
 * @param input `requestText` is JSON text: `{subject, action, resource, context?}`, where what is searched for
 *   has no id. With `context.listing`, arguments are unknown: only scopes are matched.
 * @throws {DomainError} insufficient_scope without `gateway:check`, for subjects other than the caller without
 *   `gateway:delegate`, and for agents without `agents:read`; forbidden for anybody but agents;
 *   payload_too_large, invalid_body and validation_failed for the request and the page.
 */
export async function searchEntities(ctx: Ctx, input: z.input<typeof shape>): Promise<SearchPage> {
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { of, requestText, ...page } = parseInput(shape, input);
  if (of === "subject") requireScope(ctx, "gateway:delegate");
  const search = parseSearch(of, requestText, page);
  if (search.type !== null && isAgentType(search.type)) requireScope(ctx, "agents:read");
  const state = await readGateState(ctx, [search.asked], callerId);
  requireKnown(ctx, search.asked, { state, callerId });
  const request = resolveEntities(search.asked, state, callerId);
  if (of !== "subject" && isUnknown(request.subject, state)) return { names: [], next: null };
  const { policies: remembered, counters } = ctx.services;
  const policies = await remembered.get(ctx.workspaceId, state.generation);
  const mayReadCounters = policies.policies.some(({ when }) => when?.includes("counters"));
  const known = mayReadCounters
    ? { ...request, counters: await counters.get(ctx.workspaceId, callerId, ctx.read) }
    : request;
  return findAllowed(ctx, { of, search, request: known, policies, fallback: state.fallback });
}

/** Whether an agent is archived or never was. */
function isUnknown({ type, id, agent }: Entity, { entities }: GateState): boolean {
  return isAgentType(type) && agent === null && findEntity(entities, { type, id }) === null;
}

type Searching = {
  of: SearchedPart;
  search: Search;
  /** Without what is searched for. */
  request: EvaluationRequest;
  policies: GatePolicies;
  fallback: GateState["fallback"];
};

async function findAllowed(ctx: Ctx, searching: Searching): Promise<SearchPage> {
  const page: Page = { names: [], checked: 0, spentMs: 0, position: "" };
  try {
    const isLast = await fillPage(ctx, searching, page);
    return { names: page.names, next: isLast ? null : writePlace(searching.search, page.position) };
  } finally {
    // A millisecond is charged as a request.
    countRequests(ctx, page.spentMs);
  }
}

/** A page as far as it is found; `spentMs` is without the turns of others. */
type Page = { names: string[]; checked: number; spentMs: number; position: string };

/** @returns whether nothing is left for another page. */
async function fillPage(ctx: Ctx, searching: Searching, page: Page): Promise<boolean> {
  const { runInTurns } = ctx.services.policies;
  const now = ctx.now ?? ctx.services.live.now();
  for await (const candidates of listCandidates(ctx, searching)) {
    const steps = checkCandidates({ ...searching, page, now }, candidates);
    if (await runInTurns(ctx.workspaceId, measure(steps, page))) return false;
  }
  return true;
}

/** Adds the time of the steps. */
function* measure<Result>(steps: Steps<Result>, page: Page): Steps<Result> {
  for (;;) {
    const startedMs = performance.now();
    const step = steps.next();
    page.spentMs += performance.now() - startedMs;
    if (step.done === true) return step.value;
    yield;
  }
}

type Checking = Searching & { page: Page; now: Date };

/** Looks one result beyond the page. @returns whether the page is finished and another one follows. */
function* checkCandidates(
  checking: Checking,
  candidates: readonly Candidate<Entity | string>[],
): Steps<boolean> {
  const { page, search } = checking;
  for (const candidate of candidates) {
    if (page.checked >= LIMITS.searchCandidates || page.spentMs > LIMITS.searchMs) return true;
    page.checked++;
    if (yield* isAllowed(checking, candidate)) {
      if (page.names.length === search.limit) return true;
      page.names.push(candidate.name);
    }
    ({ position: page.position } = candidate);
    yield;
  }
  return false;
}

async function* listCandidates(
  ctx: Ctx,
  { of, search, request, policies }: Searching,
): AsyncGenerator<Candidate<Entity | string>[]> {
  const names = await policies.getNames();
  const { type, after } = search;
  if (of === "action" || type === null) {
    yield* listActionCandidates(request.resource, names.action, after);
    return;
  }
  yield* listEntityCandidates(ctx, { type, names: names[of].get(type) ?? [], after });
}

function* isAllowed(
  { of, search, request: base, policies: { index }, fallback, now }: Checking,
  { found }: Candidate<Entity | string>,
): Steps<boolean> {
  const request = complete(base, of, found);
  const policies = yield* selectPolicies(index, request);
  const otherwise = request.action.isCommand ? "allow" : fallback;
  if (search.isListing) return isListed(policies, otherwise);
  const { outcome } = yield* decide(policies, createConditionValues(request, now), otherwise);
  return outcome === "allow";
}

function complete(base: EvaluationRequest, of: SearchedPart, found: Entity | string): EvaluationRequest {
  if (typeof found === "string") {
    const action = { ...base.action, name: found };
    return { ...base, action: { ...action, isCommand: base.resource.agent !== null && isCommand(found) } };
  }
  if (of === "subject") return { ...base, subject: { ...found, role: null } };
  const command = found.agent !== null && isCommand(base.action.name);
  return { ...base, action: { ...base.action, isCommand: command }, resource: found };
}
