-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "issuer_ids" UUID[] DEFAULT ARRAY[]::UUID[];
UPDATE "approval" a SET "issuer_ids" = ARRAY[(t."created_by" ->> 'id')::uuid] FROM "task" t
WHERE t."workspace_id" = a."workspace_id" AND t."id" = a."task_id" AND t."created_by" ->> 'type' = 'user';
