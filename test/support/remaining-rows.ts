import { createHash, randomBytes } from "node:crypto";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { TestServer } from "./server.ts";
import { insertSignInRows } from "./test-sign-in.ts";

type Made = Record<"approval" | "user" | "evalRun" | "mission" | "robot" | "task", string>;

/** Rows of tables, and references, that no use case writes yet. */
export async function insertRemainingRows({ database }: TestServer, ctx: Ctx, made: Made): Promise<void> {
  const { workspaceId } = ctx;
  const tokenDigest = new Uint8Array(createHash("sha256").update(made.user).digest());
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ctx.db.userToken.create({
    data: {
      workspaceId,
      id: crypto.randomUUID(),
      userId: made.user,
      context: "session",
      tokenDigest,
      authEpoch: 0,
      familyId: crypto.randomUUID(),
      authenticatedAt: new Date(),
      expiresAt,
    },
  });
  await ctx.db.userEmail.create({
    data: { workspaceId, userId: made.user, place: 0, value: "x@example.com" },
  });
  await ctx.db.approvalReview.create({
    data: {
      ...{ workspaceId, approvalId: made.approval, userId: made.user, verdict: "approve" },
      ...{
        by: { type: "user", id: made.user, name: "Somebody" },
        requestHash: new Uint8Array(randomBytes(32)),
      },
    },
  });
  await ctx.db.evalResult.create({
    data: {
      ...{ workspaceId, id: crypto.randomUUID(), evalRunId: made.evalRun },
      ...{ itemKey: "1", input: {}, status: "passed" },
    },
  });
  await insertSignInRows(ctx, made.user);
  await ctx.db.missionStep.create({
    data: { workspaceId, missionId: made.mission, seq: 1, key: "1", type: "move" },
  });
  await ctx.db.robotSample.create({
    data: { workspaceId, robotId: made.robot, at: expiresAt, status: "idle" },
  });
  // Due in an hour, so that the server doesn't deliver it.
  await ctx.db.mailOutbox.create({
    data: {
      ...{ workspaceId, id: crypto.randomUUID(), userId: made.user, kind: "new_device" },
      ...{ sentTo: "x@example.com", authEpoch: 0, nextAttemptAt: expiresAt },
    },
  });
  await database.query(
    "INSERT INTO revocation (seq, workspace_id, kind, subject_id, reason) VALUES (-floor(random() * 1e9), $1, 'user', $2, 'test')",
    [workspaceId, made.user],
  );
}
