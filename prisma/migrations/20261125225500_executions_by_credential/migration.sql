-- What a revoked credential began is found among what runs.
CREATE INDEX "execution_workspace_id_credential_id_idx" ON "execution" ("workspace_id", "credential_id") WHERE "status" = 'started';
