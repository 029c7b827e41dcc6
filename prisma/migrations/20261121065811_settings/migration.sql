-- DropIndex
DROP INDEX "audit_event_workspace_id_action_seq_idx";

-- CreateIndex
CREATE INDEX "agent_token_workspace_id_created_at_id_idx" ON "agent_token"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_key_workspace_id_created_at_id_idx" ON "api_key"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_key_workspace_id_lineage_id_idx" ON "api_key"("workspace_id", "lineage_id");

-- CreateIndex
CREATE INDEX "audit_event_workspace_id_created_at_seq_idx" ON "audit_event"("workspace_id", "created_at" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "socket_token_workspace_id_created_at_id_idx" ON "socket_token"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "user_workspace_id_role_created_at_id_idx" ON "user"("workspace_id", "role", "created_at" DESC, "id" DESC);


-- What Prisma can't say: acts are looked up by the beginning of their names (the condition, which always holds, keeps
-- Prisma's diff from the operator class, which it can't compare),
CREATE INDEX "audit_event_workspace_id_action_seq_idx" ON "audit_event" ("workspace_id", "action" text_pattern_ops, "seq" DESC)
  WHERE "action" IS NOT NULL;
-- and the few members who are not active, found among the many who are.
CREATE INDEX "user_suspended_idx" ON "user" ("workspace_id", "created_at" DESC, "id" DESC)
  WHERE "suspended_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "user_invited_idx" ON "user" ("workspace_id", "created_at" DESC, "id" DESC)
  WHERE "hashed_password" IS NULL AND "suspended_at" IS NULL AND "deleted_at" IS NULL;
