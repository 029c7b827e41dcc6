-- CreateIndex
CREATE INDEX "execution_workspace_id_decision_id_idx" ON "execution"("workspace_id", "decision_id");
