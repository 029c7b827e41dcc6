import { expect } from "vitest";
import type { TestAnswer } from "./test-client.ts";
import { type Idp, URN, patchBody, userBody } from "./scim-world.ts";

/** An email of {@link BEFORE}. */
export const WORK = { value: "w@x.example", type: "work", primary: true };
/** An email of {@link BEFORE}. */
export const HOME = { value: "h@x.example", type: "home" };

/** A user before it is patched. */
export const BEFORE = {
  title: "Boss",
  name: { givenName: "Ada", familyName: "Byron" },
  emails: [WORK, HOME],
  addresses: [{ type: "work", locality: "London", country: "GB" }],
  [URN.enterprise]: { department: "Sales", costCenter: "1" },
};

/**
 * Creates a user like {@link BEFORE} and patches it. A later read must match the response, or the old user after an
 * error.
 *
 * @returns the response, and `made`, the user before.
 */
export async function patchUser(
  idp: Idp,
  operations: readonly unknown[],
): Promise<TestAnswer & { made: TestAnswer["body"] }> {
  const made = await idp.post("/Users", userBody(BEFORE));
  expect(made.status).toBe(201);
  const answer = await idp.patch(`/Users/${made.body.id}`, patchBody(...operations));
  const read = await idp.get(`/Users/${made.body.id}`);
  if (answer.status === 200) expect(answer.body).toEqual(read.body);
  else expect(read.body).toEqual(made.body);
  return { ...answer, made: made.body };
}
