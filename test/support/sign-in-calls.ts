import { toGlobalId } from "../../src/schema/global-id.ts";
import type { CallOutcome, FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";
import { NEW_SIGN_IN_PROVIDER } from "./test-sign-in.ts";

/** Calls of the fields of sign-in with another workspace's ids. */
export function signInCalls({ signInDomain, user }: PopulatedWorkspace["ids"]): Record<string, FieldCall[]> {
  const domain = toGlobalId("SignInDomain", signInDomain);
  const owner = toGlobalId("User", user);
  const call = (args: Record<string, unknown>, outcome: CallOutcome): FieldCall[] => [
    { args, outcome, forPeople: true },
  ];
  return {
    signInProvider: call({}, "own"),
    signInDomains: call({}, "own"),
    setSignInProvider: [
      ...call({ input: NEW_SIGN_IN_PROVIDER }, "own"),
      ...call({ input: { ...NEW_SIGN_IN_PROVIDER, breakGlassOwnerId: owner } }, "VALIDATION_FAILED"),
    ],
    addSignInDomain: call({ input: { domain: "another.example" } }, "own"),
    verifySignInDomain: call({ input: { id: domain } }, "NOT_FOUND"),
    deleteSignInDomain: call({ input: { id: domain } }, "NOT_FOUND"),
    deleteSignInProvider: call({ input: {} }, "own"),
  };
}
