import { Prisma } from "./generated/client.ts";

/** Clears a JSON column: null would store JSON null. */
export const NO_JSON = Prisma.DbNull;
