import { createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import type { Resources } from "../resource-methods.ts";
import { CONVERSATION_TEMPLATE, readConversation } from "./conversation-resource.ts";
import { TASK_TEMPLATE, listHeldTasks, readTask, readTaskVersion } from "./task-resource.ts";

const KINDS = new Map([
  ["tasks", readTask],
  ["conversations", readConversation],
]);

const URI = /^agent-ops:\/\/(?<kind>[a-z]+)\/(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Tasks and conversations. */
export const resources: Resources = {
  templates: [TASK_TEMPLATE, CONVERSATION_TEMPLATE],
  list: ({ ctx }) => listHeldTasks(ctx),
  read: async ({ ctx }, uri) => {
    const { kind, uuid } = parseUri(uri);
    const read = KINDS.get(kind);
    if (read === undefined) throw createNotFoundError("resource");
    const text = JSON.stringify(await read(ctx, uuid));
    return [{ uri, mimeType: "application/json", text }];
  },
  // Conversations have no version to watch.
  readVersion: async ({ ctx }, uri, known) => {
    const { kind, uuid } = parseUri(uri);
    if (kind !== "tasks") throw createNotFoundError("resource to watch");
    return readTaskVersion(ctx, uuid, known);
  },
};

function parseUri(uri: string): { kind: string; uuid: string } {
  const { kind = "", uuid = "" } = URI.exec(uri)?.groups ?? {};
  return { kind, uuid: uuid.toLowerCase() };
}
