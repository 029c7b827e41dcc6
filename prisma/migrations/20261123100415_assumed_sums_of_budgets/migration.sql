-- AlterTable
ALTER TABLE "budget_window" ADD COLUMN     "assumed" BIGINT NOT NULL DEFAULT 0;

UPDATE "budget_window" w SET "assumed" = s."assumed"
FROM (
  SELECT r."workspace_id", (line->>'budgetId')::uuid AS "budget_id", (line->>'windowStart')::timestamptz AS "window_start",
    line->>'subject' AS "subject", sum((line->>'used')::bigint) AS "assumed"
  FROM "reservation" r, jsonb_array_elements(r."lines") line
  WHERE r."assumed" AND line->>'unit' <> 'calls' GROUP BY 1, 2, 3, 4
) s
WHERE w."workspace_id" = s."workspace_id" AND w."budget_id" = s."budget_id" AND w."window_start" = s."window_start"
  AND w."subject" = s."subject";

-- Those that hold something, or for which something was assumed.
CREATE INDEX "reservation_open_idx" ON "reservation"("workspace_id", "created_at" DESC, "id" DESC)
WHERE "status" = 'held' OR "assumed";
