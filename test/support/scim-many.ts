import { expect } from "vitest";
import { type ScimWorld, createScimWorld, userBody } from "./scim-world.ts";

/** Number of users of a {@link ManyWorld}. */
export const COUNT = 25;

/** A workspace with many users. `made` are their names in order of creation. */
export type ManyWorld = ScimWorld & { made: string[] };

/** Starts a server with a workspace with users that differ in every sortable attribute. */
export async function createManyWorld(): Promise<ManyWorld> {
  const world = await createScimWorld();
  const made: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const userName = `user${String(n).padStart(2, "0")}`;
    const fields = {
      userName,
      // Some have no title, and some share one.
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
