import { z } from "zod";
import type { Agent } from "../../db/generated/client.ts";
import { CaptureContent } from "../../db/generated/enums.ts";
import { sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";

/** Each request of telemetry reads all of them. */
const MOST_AGENTS = 500;

const shape = z.object({
  id: uuid,
  /** Null for what the workspace's setting says. */
  captureContent: z.enum(CaptureContent).nullable(),
});

/**
 * Sets what is stored of the content of an agent's spans: never more than the workspace's setting says.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found, also if it is archived;
 *   validation_failed, also if too many agents have a setting of their own.
 */
export async function setAgentCapture(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  requireSudo(ctx, "admin");
  const { id, captureContent } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    // Those who set it for other agents wait, so that they are counted.
    if (captureContent !== null) await lockWorkspace(tx);
    const before = await lockAgent(tx, id);
    if (before.captureContent === captureContent) return before;
    if (before.captureContent === null) await requireRoom(tx);
    const { agent, appended } = await changeAgent(tx, before, {
      data: { captureContent },
      event: "agent.updated",
      eventData: { capture_content: captureContent },
      audit: {
        action: "agent.capture_content_changed",
        changes: { capture_content: { from: before.captureContent, to: captureContent } },
      },
    });
    append(tx, appended);
    return agent;
  });
}

async function requireRoom({ run, ctx }: Transaction): Promise<void> {
  const [counted] = await run(COUNT, [ctx.workspaceId]);
  if ((counted?.agents ?? 0) < MOST_AGENTS) return;
  throw createFieldError("captureContent", `is set for ${MOST_AGENTS} agents already`);
}

const COUNT = sql<{ agents: number }>`
SELECT count(*)::int4 AS agents FROM agent WHERE workspace_id = $1::uuid AND capture_content IS NOT NULL`;
