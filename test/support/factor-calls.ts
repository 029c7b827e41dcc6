import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of the fields of second factors with another workspace's ids. The caller has an app and a passkey. */
export function factorCalls({ user, passkey }: PopulatedWorkspace["ids"]): Record<string, FieldCall[]> {
  const call = (input: Record<string, unknown>, outcome: FieldCall["outcome"]): FieldCall[] => [
    { args: { input }, outcome, forPeople: true },
  ];
  return {
    secondFactors: [{ args: {}, outcome: "own", forPeople: true }],
    beginAuthenticatorApp: call({}, "INVALID_STATE"),
    addAuthenticatorApp: call({ setup: "x", code: "000000" }, "VALIDATION_FAILED"),
    removeAuthenticatorApp: call({}, "own"),
    beginPasskey: call({}, "INVALID_STATE"),
    addPasskey: call({ name: "x", response: "{}" }, "INVALID_STATE"),
    removePasskey: call({ id: toGlobalId("Passkey", passkey) }, "NOT_FOUND"),
    renewRecoveryCodes: call({}, "own"),
    removeUserFactors: call({ id: toGlobalId("User", user) }, "NOT_FOUND"),
  };
}
