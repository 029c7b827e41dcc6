import { Prisma } from "./generated/client.ts";

/** Leaves a JSON column empty: null would be JSON's own. */
export const NO_JSON = Prisma.DbNull;
