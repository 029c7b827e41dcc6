-- CreateTable
CREATE TABLE "node" (
    "id" UUID NOT NULL,
    "revocation_seq" BIGINT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deferred_append" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deferred_append_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "deferred_append_created_at_id_idx" ON "deferred_append"("created_at", "id");

-- AddForeignKey
ALTER TABLE "deferred_append" ADD CONSTRAINT "deferred_append_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
