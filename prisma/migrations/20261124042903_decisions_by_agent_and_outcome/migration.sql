-- Filters by outcome, and by agent and outcome, read only what they list, however many others there are.
DROP INDEX "decision_outcome_idx";

-- CreateIndex
CREATE INDEX "decision_workspace_id_outcome_created_at_id_idx" ON "decision"("workspace_id", "outcome", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "decision_workspace_id_agent_id_outcome_created_at_id_idx" ON "decision"("workspace_id", "agent_id", "outcome", "created_at" DESC, "id" DESC);
