-- AlterTable
ALTER TABLE "budget_window" ADD COLUMN     "reported" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "reservation" ADD COLUMN     "reported" JSONB;

-- RenameColumn
ALTER TABLE "usage_call" RENAME COLUMN "charged_hour" TO "charged_at";

-- RenameIndex
ALTER INDEX "usage_call_workspace_id_charged_hour_idx" RENAME TO "usage_call_workspace_id_charged_at_idx";

-- CreateTable
CREATE TABLE "budget_charge" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "reservation_id" UUID,
    "usd_micros" BIGINT,
    "tokens" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_charge_pkey" PRIMARY KEY ("workspace_id","id")
);
