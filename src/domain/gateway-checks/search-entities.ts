import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { decide } from "../policies/decide.ts";
import type { Entity, EvaluationRequest } from "../policies/evaluation-request.ts";
import { isAgentType } from "./entity-name.ts";
import type { GatePolicies } from "./gate-policies.ts";
import { type GateState, readGateState } from "./gate-state.ts";
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

/** How long others wait at most. */
const TURN_MS = 5;
/** What a millisecond is charged as, in bytes of an answer: a request. */
const BYTES_PER_MS = 65_536;

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
  const policies = await ctx.services.policies.get(ctx.workspaceId, state.generation);
  return findAllowed(ctx, { of, search, request, policies, fallback: state.fallback });
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
  const clock = startClock();
  try {
    return await findPage(ctx, searching, clock);
  } finally {
    countReadBytes(ctx, Math.round(clock.getMs() * BYTES_PER_MS));
  }
}

/** Looks one result beyond the page, to know whether there is another page. */
async function findPage(ctx: Ctx, searching: Searching, clock: Clock): Promise<SearchPage> {
  const { search } = searching;
  const names: string[] = [];
  let checked = 0;
  let position = "";
  for await (const candidate of listCandidates(ctx, searching)) {
    const isOver = checked >= LIMITS.searchCandidates || clock.getMs() > LIMITS.searchMs;
    // A page moves on, however slow the database is.
    if (isOver && checked > 0) return { names, next: writePlace(search, position) };
    await clock.giveTurn();
    checked++;
    if (await isAllowed(ctx, searching, candidate)) {
      if (names.length === search.limit) return { names, next: writePlace(search, position) };
      names.push(candidate.name);
    }
    ({ position } = candidate);
  }
  return { names, next: null };
}

type Clock = { getMs: () => number; giveTurn: () => Promise<void> };

/** Measures the time of a search, without that in which others had their turn. */
function startClock(): Clock {
  let [spentMs, turnMs] = [0, performance.now()];
  return {
    getMs: () => spentMs + performance.now() - turnMs,
    giveTurn: async () => {
      const now = performance.now();
      if (now - turnMs < TURN_MS) return;
      spentMs += now - turnMs;
      await setImmediate();
      turnMs = performance.now();
    },
  };
}

async function* listCandidates(
  ctx: Ctx,
  { of, search, request, policies }: Searching,
): AsyncGenerator<Candidate<Entity | string>> {
  const names = policies.getNames();
  const { type, after } = search;
  if (of === "action" || type === null) {
    yield* listActionCandidates(request.resource, names.action, after);
    return;
  }
  yield* listEntityCandidates(ctx, { type, names: names[of].get(type) ?? [], after });
}

async function isAllowed(
  ctx: Ctx,
  { of, search, request: base, policies: { index }, fallback }: Searching,
  { found }: Candidate<Entity | string>,
): Promise<boolean> {
  const request = complete(base, of, found);
  const policies = await selectPolicies(index, request);
  const otherwise = request.action.isCommand ? "allow" : fallback;
  if (search.isListing) return isListed(policies, otherwise);
  const values = createConditionValues(request, ctx.now ?? ctx.services.live.now());
  return decide(policies, values, otherwise).outcome === "allow";
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

/** Whether a request could be allowed or asked about, whatever its arguments. */
function isListed(policies: readonly CompiledPolicy[], fallback: "allow" | "deny"): boolean {
  const enforced = policies.filter(({ mode }) => mode === "enforce");
  if (enforced.some(({ effect, getCondition }) => effect === "deny" && getCondition() === null)) return false;
  return fallback === "allow" || enforced.some(({ effect }) => effect !== "deny");
}
