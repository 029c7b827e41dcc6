-- AlterTable
ALTER TABLE "span" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 1;

-- Spans that come with the first request of their trace are read with all others, never by this.
CREATE INDEX "span_generation_idx" ON "span" ("workspace_id", "day", "trace_id", "generation") WHERE "generation" > 1;
