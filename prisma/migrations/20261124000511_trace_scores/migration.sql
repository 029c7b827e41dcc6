-- CreateEnum
CREATE TYPE "annotator_kind" AS ENUM ('human', 'code', 'llm');

-- CreateTable
CREATE TABLE "trace_score" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "trace_id" UUID NOT NULL,
    "span_id" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "value" DOUBLE PRECISION,
    "label" TEXT,
    "comment" TEXT,
    "annotator_kind" "annotator_kind" NOT NULL,
    "actor_id" UUID NOT NULL,
    "given_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trace_score_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "trace_score_workspace_id_trace_id_span_id_name_actor_id_key" ON "trace_score"("workspace_id", "trace_id", "span_id", "name", "actor_id");

-- AddForeignKey
ALTER TABLE "trace_score" ADD CONSTRAINT "trace_score_workspace_id_trace_id_fkey" FOREIGN KEY ("workspace_id", "trace_id") REFERENCES "trace"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
