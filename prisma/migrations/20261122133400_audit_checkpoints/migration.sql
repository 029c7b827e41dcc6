-- CreateTable
CREATE TABLE "audit_checkpoint" (
    "workspace_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "previous" BYTEA NOT NULL,
    "key" TEXT NOT NULL,
    "signature" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("workspace_id","number")
);

-- AddForeignKey
ALTER TABLE "audit_checkpoint" ADD CONSTRAINT "audit_checkpoint_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "audit_checkpoint" ADD CONSTRAINT "audit_checkpoint_check" CHECK (
  "number" > 0 AND octet_length("hash") = 32 AND octet_length("previous") = 32 AND octet_length("signature") = 64);
