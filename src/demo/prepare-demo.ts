import { sql } from "../db/sql.ts";
import { randomInt } from "node:crypto";
import type { PasswordHasher } from "../auth/passwords.ts";
import { createUser } from "../auth/users/create-user.ts";
import { createWorkspace } from "../auth/workspaces/create-workspace.ts";
import { openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import { type DemoCredentials, findDemo, writeDemoFile } from "./demo-file.ts";
import { OPERATOR, PEOPLE } from "./roster/people.ts";

const PASSWORD_LENGTH = 20;
/** Without characters that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const WAIT = sql`SET LOCAL idle_in_transaction_session_timeout = '30s'`;
const LOCK = sql`SELECT pg_advisory_xact_lock($1)::text`;
const LOCK_KEY = 4_762_002;

/**
 * Finds the demo's workspace with its people, or creates it. Writes its credentials to the data folder. Of
 * concurrent processes, one creates it and the others find it.
 */
export async function prepareDemo(
  services: Services & { passwords: PasswordHasher },
  dataDir: string,
): Promise<DemoCredentials> {
  return services.database.transaction(async ({ run }) => {
    // The transaction is idle while others work.
    await run(WAIT, []);
    await run(LOCK, [LOCK_KEY]);
    const found = await findDemo(services, dataDir);
    const credentials = found ?? (await createDemoWorkspace(services, dataDir));
    await createPeople(services, credentials);
    return { result: credentials, last: [] };
  });
}

async function createDemoWorkspace(services: Services, dataDir: string): Promise<DemoCredentials> {
  const made = await createWorkspace(services, { name: "Northlight Outfitters", policies: [] }, "demo");
  const credentials = { ...made, email: OPERATOR.email, password: generatePassword(), filled: false };
  await writeDemoFile(dataDir, credentials);
  return credentials;
}

/** Only the operator gets a known password. */
async function createPeople(
  services: Services & { passwords: PasswordHasher },
  { workspaceId, email, password }: DemoCredentials,
): Promise<void> {
  const ctx = openCtx(services, systemCaller(workspaceId, "demo"));
  const users = await ctx.db.user.findMany({ select: { email: true } });
  const known = new Set(users.map((user) => user.email));
  for (const person of PEOPLE) {
    if (known.has(person.email)) continue;
    const own = person.email === email ? password : generatePassword();
    await createUser(ctx, services.passwords, { ...person, password: own, confirmed: true });
  }
}

function generatePassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}
