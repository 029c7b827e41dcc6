-- By hand: what Prisma's schema language can't say. A value of an enum can be used once the migration that adds it is committed.

-- A task is held while its holder waits for an approval, too.
DROP INDEX "task_held_idx";
CREATE INDEX "task_held_idx" ON "task" ("workspace_id", "claimed_by_agent_id")
  WHERE "status" IN ('working', 'input_required', 'auth_required');
DROP INDEX "task_deadline_idx";
CREATE INDEX "task_deadline_idx" ON "task" ("deadline_at")
  WHERE "deadline_at" IS NOT NULL AND "status" IN ('submitted', 'working', 'input_required', 'auth_required');

-- Those that wait, for the sweep.
CREATE INDEX "task_auth_required_idx" ON "task" ("workspace_id", "id") WHERE "status" = 'auth_required';
