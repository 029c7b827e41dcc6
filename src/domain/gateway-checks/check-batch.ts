import { z } from "zod";
import type { LoggedDecision } from "../decisions/decision-log.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { countRequests } from "../kernel/read-bytes.ts";
import { decideBatch } from "./decide-batch.ts";
import type { DecidedRequest } from "./decide-request.ts";
import { describeDecision } from "./describe-decision.ts";
import { type GateState, readGateState } from "./gate-state.ts";
import { type GatewayCheck, toCheck } from "./gateway-check.ts";
import { type Batch, parseBatch } from "./parse-batch.ts";
import type { AccessRequest } from "./parse-request.ts";
import { requireKnown } from "./require-known.ts";
import { summarizeDecision } from "./summarize-decision.ts";

const shape = z.object({ requestText: z.string() });

/** What the gateway says to one of several requests, or why it can't be checked. */
export type BatchedCheck =
  | { check: GatewayCheck; error: null }
  | { check: null; error: Pick<DomainError, "code" | "message"> };

/**
 * Decides on several requests by one state. Of those that come after the one that decided, by
 * `options.evaluations_semantic`, nothing is said.
 *
 * @param input `requestText` is JSON text: `{evaluations: [{subject, action, resource, context?}], options?}` and
 *   defaults for the members of each.
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents;
 *   payload_too_large, invalid_body and validation_failed for the whole.
 */
export async function checkBatch(ctx: Ctx, input: z.input<typeof shape>): Promise<BatchedCheck[]> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { requests, semantic } = parseBatch(parseInput(shape, input).requestText);
  countRequests(ctx, requests.length - 1);
  const asked = requests.filter((request): request is AccessRequest => !(request instanceof DomainError));
  const state = await readGateState(ctx, asked, callerId);
  const known = requests.map((request) => findError(ctx, state, { request, callerId }) ?? request);
  const results = await decideAll(ctx, state, { requests: known, semantic, callerId, startedMs });
  const decisions = results.filter((result): result is LoggedDecision => !("error" in result));
  await ctx.services.decisions.log(decisions, state.log);
  return results.map((result) =>
    "error" in result
      ? { check: null, error: { code: result.error.code, message: result.error.message } }
      : { check: toCheck({ decision: result.summary, approval: null, execution: null }), error: null },
  );
}

/** A decision, or why there is none. */
type Result = LoggedDecision | { error: DomainError };

/** Why nothing is decided about a request. Null if something is. */
function findError(
  ctx: Ctx,
  state: GateState,
  { request, callerId }: { request: AccessRequest | DomainError; callerId: string },
): DomainError | null {
  if (request instanceof DomainError) return request;
  try {
    requireKnown(ctx, request, { state, callerId });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

type Asked = Batch & { callerId: string; startedMs: number };

async function decideAll(
  ctx: Ctx,
  state: GateState,
  { requests, semantic, callerId, startedMs }: Asked,
): Promise<Result[]> {
  const end = requests.findIndex((one) => one instanceof DomainError && isDeciding(false, semantic));
  const asked = requests
    .slice(0, end < 0 ? requests.length : end)
    .filter((request): request is AccessRequest => !(request instanceof DomainError));
  const decided = await decideBatch(ctx, state, {
    requests: asked,
    callerId,
    isEnough: ({ verdict }) => isDeciding(verdict.outcome === "allow", semantic),
  });
  const left = decided.values();
  const results: Result[] = [];
  for (const request of requests) {
    const result = request instanceof DomainError ? { error: request } : left.next().value;
    if (result === undefined) break;
    results.push("error" in result ? result : toLogged(ctx, result, { callerId, startedMs }));
    const isAllowed = !("error" in result) && result.verdict.outcome === "allow";
    if (isDeciding(isAllowed, semantic)) break;
  }
  return results;
}

function toLogged(
  ctx: Ctx,
  decided: DecidedRequest,
  { callerId, startedMs }: { callerId: string; startedMs: number },
): LoggedDecision {
  const summary = summarizeDecision(ctx, decided, { agentId: callerId, startedMs });
  return { summary, describe: () => describeDecision(decided, callerId) };
}

/** Whether nothing is said of the requests that follow. */
function isDeciding(isAllowed: boolean, semantic: Batch["semantic"]): boolean {
  return semantic === (isAllowed ? "permit_on_first_permit" : "deny_on_first_deny");
}
