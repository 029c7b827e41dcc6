-- CreateIndex
CREATE INDEX "message_workspace_id_context_id_kind_created_at_id_idx" ON "message"("workspace_id", "context_id", "kind", "created_at" DESC, "id" DESC);

-- By hand from here: what Prisma's schema language can't say.

CREATE INDEX "message_unanswered_context_idx" ON "message" ("workspace_id", "context_id", "created_at" DESC, "id" DESC)
  WHERE "kind" = 'question' AND "answered_by_id" IS NULL;
