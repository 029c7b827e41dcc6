import { ApprovalStatus, ApprovalVerdict } from "../../db/generated/enums.ts";
import { getAskingPolicies } from "../../domain/approvals/find-approved-request.ts";
import { listApprovals } from "../../domain/approvals/list-approvals.ts";
import { getCurrentHash } from "../../domain/approvals/move-approval.ts";
import { readApproval } from "../../domain/approvals/read-approval.ts";
import { readPreviousArguments } from "../../domain/approvals/read-previous-arguments.ts";
import { type Review, readReviews } from "../../domain/approvals/read-reviews.ts";
import type { AskingPolicy } from "../../domain/gateway-checks/hash-request.ts";
import { readMissionTitles } from "../../domain/missions/read-mission-titles.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName, findResourceAgent, findSubjectAgent } from "./agent-name.ts";
import { ApprovalScopeEnum } from "./policy-rule.ts";
import { RoleEnum } from "./user.ts";

const ApprovalStatusEnum = addEnum(
  "ApprovalStatus",
  ApprovalStatus,
  "PENDING while people can decide. CANCELLED if the question is void: its agent took it back, was stopped or archived, its task, command or mission was canceled, or a policy that asks was changed.",
);

const ApprovalVerdictEnum = addEnum("ApprovalVerdict", ApprovalVerdict, "A person's answer.");

const AskingPolicyType = builder.objectRef<AskingPolicy>("AskingPolicy").implement({
  description: "A policy that asks people, as it was then.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    generation: t.exposeInt("generation"),
    name: t.exposeString("name"),
  }),
});

const ReviewType = builder.objectRef<Review>("ApprovalReview").implement({
  description: "One person's answer.",
  fields: (t) => ({
    by: t.field({ type: "Actor", resolve: ({ by }) => toActorRecord(by) }),
    verdict: t.expose("verdict", { type: ApprovalVerdictEnum }),
    comment: t.exposeString("comment", { nullable: true }),
    current: t.exposeBoolean("isCurrent", {
      description: "Whether it is about the current arguments. An answer to others does not count.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const loadReviews = createBatchLoader(readReviews);
const loadMissionTitle = createBatchLoader(readMissionTitles);
const loadPreviousArguments = createBatchLoader(readPreviousArguments);

/** A list in a column of its row: nothing is read for it. */
const STORED_LIST = { field: 1, multiplier: 1 };

export const Approval = builder.prismaNode("Approval", {
  ...workspaceNode,
  description:
    "A question to people whether an agent may do something, or whether a command or mission may go ahead, and their answer.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    decisionUuid: t.expose("decisionId", { type: "UUID", description: "The decision that asked." }),
    agentUuid: t.expose("agentId", {
      type: "UUID",
      nullable: true,
      description: "The agent that asked. Null if it was a person, who is the subject.",
    }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "The agent that asked. Null for a person, and for callers who may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    subject: t.expose("subject", {
      type: "JSON",
      nullable: true,
      description: "Who would act, as `{type, id, name?}`. Null for the agent itself.",
    }),
    subjectAgent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "The agent that is the subject, if the caller may read agents.",
      resolve: ({ subject }, _args, ctx) => findSubjectAgent(ctx, subject),
    }),
    action: t.exposeString("action"),
    resourceType: t.exposeString("resourceType"),
    resourceId: t.exposeString("resourceId"),
    resourceAgent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "The agent that is the resource, if it is named by its id and the caller may read agents.",
      resolve: (row, _args, ctx) => findResourceAgent(ctx, row),
    }),
  }),
});

builder.prismaObjectFields(Approval, (t) => ({
  request: t.expose("request", {
    type: "JSON",
    description: "The request as it was asked, without secrets.",
  }),
  hiddenValues: t.exposeInt("hiddenValues", {
    description: "How many of its values are hidden as secrets. People decide without seeing them.",
  }),
  requestHash: t.string({
    description:
      "SHA-256, in hex, of what is asked for now, with approvers' changes. Send it with your answer, so that you decide what you saw.",
    resolve: getCurrentHash,
  }),
  editedArguments: t.expose("editedArguments", {
    type: "JSON",
    nullable: true,
    description: "The arguments in the place of the agent's. Null if approvers changed nothing.",
  }),
  previousArguments: t.field({
    type: "JSON",
    nullable: true,
    description:
      "The arguments of the last approved call of this tool by any agent. Null if there is none, or if its request has more than 16 KiB.",
    resolve: async ({ id }, _args, ctx) => (await loadPreviousArguments(ctx, id)) ?? null,
  }),
  policies: t.field({
    type: [AskingPolicyType],
    description: "The policies that ask.",
    complexity: STORED_LIST,
    resolve: (approval) => getAskingPolicies(approval),
  }),
}));

builder.prismaObjectFields(Approval, (t) => ({
  role: t.expose("role", { type: RoleEnum, description: "The least role of those who decide." }),
  persons: t.exposeInt("persons", { description: "How many people must approve." }),
  reviews: t.field({
    type: [ReviewType],
    description: "People's answers, oldest first.",
    complexity: { field: 1, multiplier: 2 },
    resolve: async ({ id }, _args, ctx) => (await loadReviews(ctx, id)) ?? [],
  }),
  comment: t.string({
    nullable: true,
    description: "Why a person denied or revoked it.",
    resolve: async ({ id, status, revokedReason }, _args, ctx) => {
      if (status !== "denied") return revokedReason;
      const reviews = (await loadReviews(ctx, id)) ?? [];
      return reviews.find(({ verdict }) => verdict === "deny")?.comment ?? null;
    },
  }),
  scope: t.expose("scope", { type: ApprovalScopeEnum }),
  uses: t.exposeInt("uses", { description: "How often it can be used." }),
  usedCount: t.exposeInt("usedCount"),
  canEdit: t.exposeBoolean("canEdit", {
    description: "Whether approvers may change the arguments. Never if values are hidden.",
  }),
  validSeconds: t.exposeInt("validSeconds", { description: "How long it is valid once approved." }),
  status: t.expose("status", { type: ApprovalStatusEnum }),
  expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when people can decide." }),
  decidedAt: t.expose("decidedAt", { type: "DateTime", nullable: true }),
  approvedUntil: t.expose("approvedUntil", { type: "DateTime", nullable: true }),
  revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
  revokedBy: t.field({
    type: "Actor",
    nullable: true,
    resolve: ({ revokedBy }) => (revokedBy === null ? null : toActorRecord(revokedBy)),
  }),
}));

builder.prismaObjectFields(Approval, (t) => ({
  taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
  commandUuid: t.expose("commandId", {
    type: "UUID",
    nullable: true,
    description: "The command that waits for it, and is sent once it is approved.",
  }),
  missionUuid: t.expose("missionId", {
    type: "UUID",
    nullable: true,
    description: "The mission that waits for it, and is assigned once it is approved.",
  }),
  missionTitle: t.string({
    nullable: true,
    description: "Its title. Null for callers who may not read missions.",
    resolve: async ({ missionId }, _args, ctx) =>
      missionId === null ? null : ((await loadMissionTitle(ctx, missionId)) ?? null),
  }),
  traceId: t.exposeString("traceId", { nullable: true }),
  generation: t.exposeInt("generation"),
  createdAt: t.expose("createdAt", { type: "DateTime" }),
  updatedAt: t.expose("updatedAt", { type: "DateTime" }),
}));

const ApprovalFilter = builder.inputType("ApprovalFilter", {
  fields: (t) => ({
    status: t.field({ type: ApprovalStatusEnum }),
    agentId: t.id({ description: "Only what this agent asked." }),
    taskId: t.id(),
  }),
});

builder.queryFields((t) => ({
  approval: t.prismaField({
    type: Approval,
    description:
      "One approval. With `waitSeconds`, waits while it is pending. With `gateway:check` alone, agents read their own.",
    args: {
      id: t.arg.id({ required: true }),
      waitSeconds: t.arg.int({ description: "How long to wait for people, 0 to 25. Default 0." }),
    },
    resolve: (query, _root, { id, waitSeconds }, ctx) =>
      readApproval(ctx, { id: fromGlobalId("id", "Approval", id), waitSeconds }, query),
  }),
  approvals: t.connection({
    type: Approval,
    description: "What people are asked, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: ApprovalFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      const taskId = fromOptionalGlobalId("taskId", "Task", filter?.taskId);
      return toConnection(await listApprovals(ctx, page, { ...filter, agentId, taskId }));
    },
  }),
}));
