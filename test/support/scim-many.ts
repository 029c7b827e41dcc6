import { expect } from "vitest";
import { type ScimWorld, createScimWorld, userBody } from "./scim-world.ts";

/** How many users a {@link ManyWorld} has. */
export const COUNT = 25;

/** A workspace with users to list; `made` are their names in the order in which they were made. */
export type ManyWorld = ScimWorld & { made: string[] };

/** Starts a server with a workspace that has users who differ in whatever they are sorted by. */
export async function createManyWorld(): Promise<ManyWorld> {
  const world = await createScimWorld();
  const made: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const userName = `user${String(n).padStart(2, "0")}`;
    const fields = {
      userName,
      // Some have no title, some have the same.
      ...(n % 5 !== 0 && { title: `T${(COUNT - n) % 4}` }),
      displayName: n % 2 === 0 ? `b${n}` : `A${n}`,
      active: n % 3 !== 0,
      emails: [{ value: `x@${n}.example` }, { value: `${COUNT - n}@example.com`, primary: true }],
      name: { familyName: `F${n % 10}` },
    };
    expect((await world.idp.post("/Users", userBody(fields))).status).toBe(201);
    made.push(userName);
  }
  return { ...world, made };
}
