import { readWorkspace } from "../../domain/workspaces/read-workspace.ts";
import { updateWorkspace } from "../../domain/workspaces/update-workspace.ts";
import { RETENTION_DAYS, type RetentionSetting } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import { WorkspaceEmergencyStop } from "./emergency-stop.ts";

/** The type of the workspace, for the operations in other files. */
export const Workspace = builder.prismaObject("Workspace", {
  description: "The tenant that everything belongs to.",
  fields: (t) => ({
    id: t.id({ resolve: (workspace) => toGlobalId("Workspace", workspace.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    slug: t.exposeString("slug"),
    name: t.exposeString("name"),
    revokesKeysOfSuspendedCreator: t.exposeBoolean("revokesKeysOfSuspendedCreator", {
      description: "Whether the API keys that a person made die with the person's suspension.",
    }),
    scimManaged: t.exposeBoolean("scimManaged", {
      description: "Whether an identity provider keeps the members.",
    }),
    emergencyStopAt: t.expose("emergencyStopAt", {
      type: "DateTime",
      nullable: true,
      description: "Since when all agents are stopped.",
    }),
    emergencyStopReason: t.exposeString("emergencyStopReason", { nullable: true }),
    emergencyStop: t.field({
      type: WorkspaceEmergencyStop,
      nullable: true,
      description: "The emergency stop, while one stands.",
      resolve: ({
        emergencyStopId: id,
        emergencyStopAt: at,
        emergencyStopBy: by,
        emergencyStopReason: reason,
      }) => (at === null ? null : { id, at, by: toActorRecord(by), reason }),
    }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.prismaObjectFields("Workspace", (t) => ({
  eventRetentionDays: t.exposeInt("eventRetentionDays", { description: "How long events can be resumed." }),
  messageRetentionDays: t.exposeInt("messageRetentionDays", {
    description: "How long messages are kept. Those of an unfinished task or mission stay with it.",
  }),
  taskRetentionDays: t.exposeInt("taskRetentionDays", {
    description: "How long finished tasks are kept. What an unfinished task, mission or command names stays.",
  }),
  agentCommandRetentionDays: t.exposeInt("agentCommandRetentionDays", {
    description: "How long finished commands are kept.",
  }),
  missionRetentionDays: t.exposeInt("missionRetentionDays", {
    description: "How long finished missions are kept. One that waits for a robot for as long expires.",
  }),
  evalRunRetentionDays: t.exposeInt("evalRunRetentionDays", {
    description:
      "How long finished evaluation runs and their results are kept. Baselines stay, and runs that others were compared with.",
  }),
  auditRetentionDays: t.exposeInt("auditRetentionDays", {
    nullable: true,
    description:
      "How long the audit log is kept; null for ever. Only what was exported is deleted, up to a signed checkpoint.",
  }),
}));

builder.queryFields((t) => ({
  workspace: t.prismaField({
    type: Workspace,
    description: "The caller's workspace.",
    resolve: (query, _root, _args, ctx) => readWorkspace(ctx, query),
  }),
}));

builder.relayMutationField(
  "updateWorkspace",
  {
    inputFields: (t) => ({
      name: t.string({ description: "1 to 100 characters." }),
      eventRetentionDays: t.int({ description: describeDays("eventRetentionDays") }),
      messageRetentionDays: t.int({ description: describeDays("messageRetentionDays") }),
      taskRetentionDays: t.int({ description: describeDays("taskRetentionDays") }),
      agentCommandRetentionDays: t.int({ description: describeDays("agentCommandRetentionDays") }),
      missionRetentionDays: t.int({ description: describeDays("missionRetentionDays") }),
      evalRunRetentionDays: t.int({ description: describeDays("evalRunRetentionDays") }),
      auditRetentionDays: t.int({
        description: `${describeDays("auditRetentionDays")} Null keeps the audit log for ever.`,
      }),
      revokesKeysOfSuspendedCreator: t.boolean({ description: "For owners." }),
    }),
  },
  {
    description: "Changes settings of the workspace: those that are given. For admins.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, ...fields } = input;
      // Of this one null says something of its own.
      const { auditRetentionDays: days } = fields;
      const audit = days === undefined ? {} : { auditRetentionDays: days };
      return { workspace: await updateWorkspace(ctx, { ...omitNulls(fields), ...audit }) };
    },
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
    }),
  },
);

function describeDays(setting: RetentionSetting): string {
  const { min, max } = RETENTION_DAYS[setting];
  return `${min} to ${max}.`;
}
