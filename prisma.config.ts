import { defineConfig } from "prisma/config";

const url = process.env["DIRECT_DATABASE_URL"] ?? process.env["DATABASE_URL"];

/** For Prisma's command line; the server reads its own configuration and applies the migrations itself. */
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url === undefined ? {} : { datasource: { url } }),
});
