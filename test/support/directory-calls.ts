import { toGlobalId } from "../../src/schema/global-id.ts";
import type { CallOutcome, FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of the directory's fields, written by identity providers and read by admins. */
export function directoryCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [user, group] = [toGlobalId("User", ids.user), toGlobalId("Group", ids.group)];
  const agent = toGlobalId("Agent", ids.agent);
  const read = (args: Record<string, unknown>, outcome: CallOutcome): FieldCall => ({
    args,
    outcome,
    forPeople: true,
  });
  const where = { kind: "compare", path: ["displayName"], comparison: "eq", value: word };
  const lists = [read({ query: {} }, "own"), read({ query: { where } }, "own")];
  const refused = (input: object): FieldCall[] => [{ args: { input }, outcome: "FORBIDDEN" }];
  const [uuid, attributes] = [ids.user, { userName: word, displayName: word }];
  return {
    directoryUsers: lists,
    directoryGroups: lists,
    directoryAgents: lists,
    directoryResources: lists,
    directoryAgent: [read({ id: agent }, "NOT_FOUND")],
    directoryUser: [read({ id: user }, "NOT_FOUND")],
    directoryGroup: [read({ id: group, members: true }, "NOT_FOUND")],
    createDirectoryUser: refused({ uuid, attributes }),
    replaceDirectoryUser: refused({ id: user, attributes }),
    patchDirectoryUser: refused({ id: user, operations: [] }),
    deleteDirectoryUser: refused({ id: user }),
    createDirectoryAgent: refused({ uuid, attributes }),
    replaceDirectoryAgent: refused({ id: agent, attributes }),
    patchDirectoryAgent: refused({ id: agent, operations: [] }),
    deleteDirectoryAgent: refused({ id: agent }),
    createDirectoryGroup: refused({ uuid, attributes }),
    replaceDirectoryGroup: refused({ id: group, attributes }),
    patchDirectoryGroup: refused({ id: group, operations: [] }),
    deleteDirectoryGroup: refused({ id: group }),
    mapDirectoryGroup: [read({ input: { id: group, role: "VIEWER" } }, "NOT_FOUND")],
  };
}
