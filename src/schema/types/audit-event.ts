import type { AuditEventView } from "../../domain/audit/audit-event-view.ts";
import { type AuditPage, auditCursor, listAuditEvents } from "../../domain/audit/list-audit-events.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { toGlobalId } from "../global-id.ts";

const AuditEvent = builder.objectRef<AuditEventView>("AuditEvent").implement({
  description: "An act of a person, of an identity provider or with a credential, as the audit log keeps it.",
  fields: (t) => ({
    id: t.id({ resolve: (event) => toGlobalId("AuditEvent", event.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    seq: t.float({
      description: "Its place in the log: 1, 2, 3 and so on.",
      resolve: (event) => Number(event.seq),
    }),
    actor: t.expose("actor", { type: "Actor", description: "Who did it." }),
    action: t.exposeString("action", { description: "What was done, such as `user.suspended`." }),
    targetType: t.exposeString("targetType", { description: "What it was done to, such as `user`." }),
    targetId: t.exposeString("targetId", { description: "The uuid of that." }),
    ip: t.exposeString("ip", { nullable: true, description: "Where the request came from." }),
    userAgent: t.exposeString("userAgent", { nullable: true }),
    requestId: t.exposeString("requestId", { nullable: true, description: "As in the server's log." }),
    changes: t.expose("changes", { type: "JSON", description: "What is different since. No secrets." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    prevHash: t.exposeString("prevHash", { description: "The hash of the row before it." }),
    hash: t.exposeString("hash", {
      description: "SHA-256, as hex, over the hash of the row before and this row as canonical JSON.",
    }),
  }),
});

const AuditEventFilter = builder.inputType("AuditEventFilter", {
  description: "What listed rows of the audit log have in common.",
  fields: (t) => ({
    action: t.string({ description: "An action, or the start of one and an asterisk: `user.*`." }),
    actorId: t.field({ type: "UUID", description: "Who did it." }),
    targetId: t.string({ description: "What it was done to, by uuid." }),
    since: t.field({ type: "DateTime", description: "From then on." }),
    until: t.field({ type: "DateTime", description: "Before then." }),
  }),
});

builder.queryFields((t) => ({
  auditEvents: t.connection({
    type: AuditEvent,
    description: "The workspace's audit log, newest first. For admins.",
    args: { filter: t.arg({ type: AuditEventFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toAuditConnection(await listAuditEvents(ctx, page, filter ?? {})),
  }),
}));

function toAuditConnection({ nodes, count, version, hasNextPage, hasPreviousPage }: AuditPage) {
  const [first] = nodes;
  const last = nodes.at(-1);
  return {
    totalCount: count,
    version,
    edges: nodes.map((node) => ({ node, cursor: auditCursor(node) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: first === undefined ? null : auditCursor(first),
      endCursor: last === undefined ? null : auditCursor(last),
    },
  };
}
