-- What tokens of one agent and one key's lineage have sent belongs together. Of two of them that used one key, the
-- first one's request stays.
ALTER TABLE "idempotency_key" ADD COLUMN "owner_id" UUID, ADD COLUMN "lineage_id" UUID;

UPDATE "idempotency_key" i SET "owner_id" = c.agent_id, "lineage_id" = c.lineage_id
FROM (
  SELECT workspace_id, id, agent_id, lineage_id FROM "api_key"
  UNION ALL
  SELECT t.workspace_id, t.id, t.agent_id, k.lineage_id
  FROM "agent_token" t JOIN "api_key" k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id
) c
WHERE c.workspace_id = i.workspace_id AND c.id = i.credential_id;

UPDATE "idempotency_key" SET "owner_id" = "credential_id", "lineage_id" = "credential_id" WHERE "owner_id" IS NULL;

DELETE FROM "idempotency_key" i USING "idempotency_key" earlier
WHERE earlier.workspace_id = i.workspace_id AND earlier.owner_id = i.owner_id AND earlier.lineage_id = i.lineage_id
  AND earlier.key = i.key AND (earlier.created_at, earlier.credential_id) < (i.created_at, i.credential_id);

-- AlterTable
ALTER TABLE "idempotency_key" DROP CONSTRAINT "idempotency_key_pkey",
DROP COLUMN "credential_id",
ALTER COLUMN "lineage_id" SET NOT NULL,
ALTER COLUMN "owner_id" SET NOT NULL,
ADD CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("workspace_id", "owner_id", "lineage_id", "key");
