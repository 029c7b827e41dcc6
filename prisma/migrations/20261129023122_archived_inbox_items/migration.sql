-- CreateTable
CREATE TABLE "archived_inbox_item" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "archived_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "archived_inbox_item_pkey" PRIMARY KEY ("workspace_id","user_id","key")
);

-- CreateIndex
CREATE INDEX "archived_inbox_item_workspace_id_user_id_archived_at_idx" ON "archived_inbox_item"("workspace_id", "user_id", "archived_at");

-- AddForeignKey
ALTER TABLE "archived_inbox_item" ADD CONSTRAINT "archived_inbox_item_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
