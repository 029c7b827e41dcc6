-- CreateIndex
CREATE INDEX "mail_outbox_workspace_id_kind_next_attempt_at_idx" ON "mail_outbox"("workspace_id", "kind", "next_attempt_at");
