import { isGone, isUnfit } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { asJson } from "./as-json.ts";
import type { Log } from "./contact.ts";
import type { Send } from "./request.ts";
import { wait } from "./wait.ts";

type Started = Schemas["StartedExecution"];
type Amounts = Schemas["Amounts"];
type Failure = Pick<Schemas["ExecutionFailure"], "error" | "effect">;

/** An execution whose lease is kept until it ends. Reports that fail are logged: the execution then becomes `unknown`. */
export type HeldExecution = {
  /** @param amounts what it used of its reservation, if that is known. */
  complete: (result: unknown, amounts?: Amounts | null) => Promise<void>;
  /** @param error its `code` and `effect`, if any, are reported as well. */
  fail: (error: unknown, amounts?: Amounts | null) => Promise<void>;
};

export type HeldExecutionContext = { send: Send; log: Log };

/** Keeps an execution's lease until it is reported. Calls `lost` if the agent is stopped or the lease is lost. */
export function holdExecution(
  { send, log }: HeldExecutionContext,
  { execution: { id, fence }, leaseMs, lost }: { execution: Started; leaseMs: number; lost: () => void },
): HeldExecution {
  const over = new AbortController();
  const beating = beat(send, { id, fence, leaseMs, lost, signal: over.signal });

  async function report(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    over.abort();
    await beating;
    try {
      await call(AbortSignal.timeout(leaseMs));
    } catch (error) {
      log(`the execution ${id} couldn't be reported: ${String(error)}`);
    }
  }

  return {
    complete: (result, amounts = null) =>
      report((signal) =>
        sendFirstFit(
          [() => ({ result: asJson(result), ...toSpent(amounts) }), () => toSpent(amounts), () => ({})],
          (body) => send("POST /gateway/executions/{id}/complete", { id, signal, body: { fence, ...body } }),
        ),
      ),
    fail: (error, amounts = null) =>
      report((signal) =>
        sendFirstFit([() => toSpent(amounts), () => ({})], (body) =>
          send("POST /gateway/executions/{id}/fail", {
            id,
            signal,
            body: { fence, ...toFailure(error), ...body },
          }),
        ),
      ),
  };
}

function toSpent(amounts: Amounts | null): { amounts?: Amounts } {
  return amounts === null ? {} : { amounts };
}

/** Sends the first body that the service takes: what was done was done, whatever can't be said of it. */
async function sendFirstFit<Body>(
  bodies: readonly (() => Body)[],
  send: (body: Body) => Promise<unknown>,
): Promise<void> {
  for (const [place, build] of bodies.entries()) {
    try {
      await send(build());
      return;
    } catch (error) {
      const isUnsendable = isUnfit(error) || error instanceof TypeError;
      if (!isUnsendable || place === bodies.length - 1) throw error;
    }
  }
}

type Beating = { id: string; fence: number; leaseMs: number; lost: () => void; signal: AbortSignal };

async function beat(send: Send, { id, fence, leaseMs, lost, signal }: Beating): Promise<void> {
  while (!signal.aborted) {
    await wait(leaseMs / 3, signal);
    if (signal.aborted) return;
    try {
      const sent = { id, body: { fence }, signal };
      const { control_state: state } = await send("POST /gateway/executions/{id}/heartbeat", sent);
      if (state === "stopped") lost();
    } catch (error) {
      if (signal.aborted) return;
      lost();
      // Without a credential or a lease, later heartbeats fail as well.
      if (isGone(error)) return;
    }
  }
}

const EFFECTS: ReadonlySet<unknown> = new Set(["none", "partial", "unknown"]);

/** Whether an error says that nothing was done. */
export function isWithoutEffect(error: unknown): boolean {
  return (error as { effect?: unknown } | null)?.effect === "none";
}

/** An error that doesn't say what was done leaves it unknown. */
function toFailure(error: unknown): Failure {
  const { message, code, effect } = (error ?? {}) as { message?: unknown; code?: unknown; effect?: unknown };
  return {
    error: {
      message: String(message ?? error).slice(0, 2000) || "The function failed.",
      ...(typeof code === "string" && code !== "" && { code: code.slice(0, 64) }),
    },
    effect: EFFECTS.has(effect) ? (effect as Failure["effect"]) : "unknown",
  };
}
