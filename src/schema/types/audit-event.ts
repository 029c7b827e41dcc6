import type { AuditEventView } from "../../domain/audit/audit-event-view.ts";
import { type AuditPage, auditCursor, listAuditEvents } from "../../domain/audit/list-audit-events.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { toGlobalId } from "../global-id.ts";

const AuditEvent = builder.objectRef<AuditEventView>("AuditEvent").implement({
  description:
    "An action of a person, an identity provider, an agent or the system, recorded in the audit log.",
  fields: (t) => ({
    id: t.id({ resolve: (event) => toGlobalId("AuditEvent", event.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    seq: t.float({
      description: "The event's number in the log: 1, 2, 3 and so on.",
      resolve: (event) => Number(event.seq),
    }),
    actor: t.expose("actor", { type: "Actor", description: "Who did it." }),
    action: t.exposeString("action", { description: "What was done, such as `user.suspended`." }),
    targetType: t.exposeString("targetType", {
      description: "The kind of thing it was done to, such as `user`.",
    }),
    targetId: t.exposeString("targetId", { description: "The uuid of the target." }),
    ip: t.exposeString("ip", { nullable: true, description: "Where the request came from." }),
    userAgent: t.exposeString("userAgent", { nullable: true }),
    requestId: t.exposeString("requestId", {
      nullable: true,
      description: "The request's id in the server's log.",
    }),
    changes: t.expose("changes", { type: "JSON", description: "What changed. Contains no secrets." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    prevHash: t.exposeString("prevHash", { description: "The previous event's hash." }),
    hash: t.exposeString("hash", {
      description: "SHA-256 in hex over the previous event's hash and this event as canonical JSON.",
    }),
  }),
});

const AuditEventFilter = builder.inputType("AuditEventFilter", {
  description: "Filters the audit log.",
  fields: (t) => ({
    action: t.string({ description: "An action, or a prefix with an asterisk: `user.*`." }),
    actorId: t.field({ type: "UUID", description: "Who did it." }),
    targetId: t.string({ description: "The uuid of the target." }),
    since: t.field({ type: "DateTime", description: "Inclusive." }),
    until: t.field({ type: "DateTime", description: "Exclusive." }),
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
