import { type ScimWorld, URN, createScimWorld, groupBody, userBody } from "./scim-world.ts";

/** A workspace with one provisioned user in one group. */
export type AdasWorld = ScimWorld & {
  user: { id: string; meta: { version: string } } & Record<string, unknown>;
  group: { id: string } & Record<string, unknown>;
};

/** Starts a server with a workspace with Ada Byron and her group. */
export async function createAdasWorld(): Promise<AdasWorld> {
  const world = await createScimWorld();
  const ada = userBody({
    displayName: "Ada",
    name: { givenName: "Ada", familyName: "Byron" },
    emails: [{ value: "a@x.example", type: "work" }, { value: "b@x.example" }],
    [URN.enterprise]: { department: "D", division: "E", manager: { value: "5" } },
  });
  const { body: user } = await world.idp.post("/Users", ada);
  const { body: group } = await world.idp.post("/Groups", groupBody({ members: [{ value: user.id }] }));
  return { ...world, user, group };
}
