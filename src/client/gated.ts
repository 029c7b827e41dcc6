import type { Schemas } from "./api-types.ts";
import { type CheckOptions, check } from "./check.ts";
import type { Log } from "./contact.ts";
import { holdExecution, isWithoutEffect } from "./held-execution.ts";
import type { Send } from "./request.ts";

type Check = Schemas["GatewayCheck"];
type Amounts = Schemas["Amounts"];

/** Passed to a gated function. */
export type GatedRun = {
  /** The key for the effect: whoever performs it can do it once for each key. */
  key: string;
  /** Larger in each execution, so that whoever performs the effect can reject a smaller one. Null without an approval. */
  fence: number | null;
  /** Aborted when the agent is stopped, the execution's lease is lost, or the caller's signal is aborted. */
  signal: AbortSignal;
  /** Says what the call cost, for budgets. The last call counts. */
  spend: (amounts: Amounts) => void;
};

/**
 * Calls a tool. If it throws an error whose `effect` is `none` or `partial`, that is what was done. Otherwise nobody
 * knows, and a person has to find out.
 */
export type Perform<Arguments, Result> = (args: Arguments, run: GatedRun) => Promise<Result>;

export type GatedOptions<Arguments> = {
  /** How long to wait for people, in seconds. Default: 300. */
  waitSeconds?: number;
  /** Whether people may change the arguments. Default: false. */
  acceptEdits?: boolean;
  /** What a call will probably cost, for budgets. Default: their own estimates. */
  estimate?: (args: Arguments) => Amounts;
};

/** Options of one call. */
export type GatedCall = Pick<CheckOptions, "signal"> & {
  /** What else policies and people should know, such as `{ task_id }`. */
  context?: Record<string, unknown>;
};

/** A call was denied, or people haven't decided in time. Nothing was done. */
export class DeniedError extends Error {
  /** Its `reason`, and the person's comment in `approval`. */
  readonly check: Check;

  constructor(tool: string, denied: Check) {
    super(describe(tool, denied));
    this.name = "DeniedError";
    this.check = denied;
  }
}

function describe(tool: string, { status, reason, approval }: Check): string {
  if (status === "pending") return `${tool} still waits for people: nobody has decided in time.`;
  const comment = approval?.comment ?? "";
  return `${tool} was denied (${reason})${comment === "" ? "." : `: ${comment}`}`;
}

export type GatedContext = { send: Send; log: Log };

export type GatedTool<Arguments, Result> = {
  /** Such as `stripe.refund`. */
  tool: string;
  perform: Perform<Arguments, Result>;
  options: GatedOptions<Arguments>;
};

/** Creates a function that calls a tool if policies, and where they ask people, allow it with these arguments. */
export function createGated<Arguments extends Record<string, unknown>, Result>(
  context: GatedContext,
  { tool, perform, options }: GatedTool<Arguments, Result>,
): (args: Arguments, call?: GatedCall) => Promise<Result> {
  const { waitSeconds = 300, acceptEdits = false, estimate } = options;
  return async (args, { signal, context: known } = {}) => {
    const request = {
      action: { name: "tools/call", properties: { arguments: args } },
      resource: { type: "tool", id: tool },
      context: { ...known, ...(estimate && { estimate: estimate(args) }) },
    };
    const allowed = await check(context.send, request, {
      waitSeconds,
      acceptEdits,
      ...(signal && { signal }),
    });
    if (allowed.status !== "allowed") throw new DeniedError(tool, allowed);
    // People may change what the arguments say, not what they are: policies are asked about the result.
    const agreed = (allowed.execution?.arguments ?? args) as Arguments;
    return performAllowed(context, { allowed, signal }, (run) => perform(agreed, run));
  };
}

async function performAllowed<Result>(
  { send, log }: GatedContext,
  { allowed, signal }: { allowed: Check; signal: AbortSignal | undefined },
  perform: (run: GatedRun) => Promise<Result>,
): Promise<Result> {
  const { id, execution, reservation } = allowed;
  const lost = new AbortController();
  const held =
    execution &&
    holdExecution({ send, log }, { execution, leaseMs: getLeaseMs(allowed), lost: () => lost.abort("lost") });
  let spent: Amounts | null = null;
  const run: GatedRun = {
    key: execution?.id ?? id,
    fence: execution?.fence ?? null,
    signal: AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]),
    spend: (amounts) => void (spent = amounts),
  };
  /** The report of an execution says what was spent. */
  async function settle(isReleased: boolean): Promise<void> {
    if (reservation === undefined || (held !== undefined && spent !== null)) return;
    await settleReservation({ send, log }, { id: reservation.id, spent, isReleased });
  }
  try {
    const result = await perform(run);
    await Promise.all([held?.complete(result, spent), settle(false)]);
    return result;
  } catch (error) {
    await Promise.all([held?.fail(error, spent), settle(isWithoutEffect(error))]);
    throw error;
  }
}

/** Both times are the service's. */
function getLeaseMs({ decided_at: from, execution }: Check): number {
  return Date.parse(execution?.lease_expires_at ?? from) - Date.parse(from);
}

/** Reservations expire by themselves, so what fails here is only logged. */
const SETTLE_TIMEOUT_MS = 60_000;

async function settleReservation(
  { send, log }: GatedContext,
  { id, spent, isReleased }: { id: string; spent: Amounts | null; isReleased: boolean },
): Promise<void> {
  const sent = { id, signal: AbortSignal.timeout(SETTLE_TIMEOUT_MS) };
  try {
    if (spent !== null)
      await send("POST /budget_reservations/{id}/settle", { ...sent, body: { amounts: spent } });
    else if (isReleased) await send("POST /budget_reservations/{id}/release", sent);
  } catch (error) {
    log(`what a call cost couldn't be reported: ${String(error)}`);
  }
}
