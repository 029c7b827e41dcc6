-- CreateTable
CREATE TABLE "client_state_key" (
    "id" SMALLINT NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "client_state_key_pkey" PRIMARY KEY ("id")
);

-- By hand from here: what Prisma's schema language can't say.

-- One row.
ALTER TABLE "client_state_key" ADD CONSTRAINT "client_state_key_one" CHECK ("id" = 1);
