-- AlterTable
ALTER TABLE "user" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "profile" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "user_email" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "value" TEXT,
    "type" TEXT,
    "display" TEXT,
    "primary" BOOLEAN,

    CONSTRAINT "user_email_pkey" PRIMARY KEY ("workspace_id","user_id","place")
);

-- CreateTable
CREATE TABLE "group" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "role" "role",
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "group_member" (
    "workspace_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_member_pkey" PRIMARY KEY ("workspace_id","group_id","user_id")
);

-- CreateIndex
CREATE INDEX "group_workspace_id_external_id_idx" ON "group"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "group_workspace_id_created_at_id_idx" ON "group"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "group_member_workspace_id_user_id_idx" ON "group_member"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "user_workspace_id_external_id_idx" ON "user"("workspace_id", "external_id");

-- AddForeignKey
ALTER TABLE "user_email" ADD CONSTRAINT "user_email_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group" ADD CONSTRAINT "group_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "group"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma can't say

-- What SCIM shows as userName: a member who was not provisioned shows the address.
CREATE UNIQUE INDEX "user_workspace_id_lower_shown_name_key" ON "user" ("workspace_id", lower(COALESCE("user_name", "email")));
-- The order of the member list, for cursors and for startIndex, which skips index entries and reads no row.
CREATE INDEX "user_workspace_id_created_at_id_live_idx" ON "user" ("workspace_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "user_email_workspace_id_lower_value_idx" ON "user_email" ("workspace_id", lower("value"));
CREATE INDEX "group_workspace_id_lower_display_name_idx" ON "group" ("workspace_id", lower("display_name"));
ALTER TABLE "group" ADD CONSTRAINT "group_role_check" CHECK ("role" <> 'owner');
ALTER TABLE "user" ADD CONSTRAINT "user_profile_check" CHECK (jsonb_typeof("profile") = 'object');
