import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import { requireScope } from "../../../src/domain/kernel/guard.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createParamsError } from "../a2a-error.ts";
import type { Call } from "../operation.ts";
import { STATES, type Status } from "../protocol.ts";
import { toArtifacts } from "../shapes/artifact-shape.ts";
import { TaskFields, taskJson } from "../shapes/task-shape.ts";
import {
  historyLength,
  optionalBoolean,
  optionalContextId,
  optionalNumber,
  optionalText,
  readInput,
} from "./read-input.ts";
import { mayReadMessages } from "./task-reads.ts";

const ListTasks = graphql(
  `
    query ListPeerTasks(
      $limit: Int!
      $after: String
      $filter: TaskFilter!
      $messages: Boolean!
      $artifacts: Boolean!
    ) {
      tasks(first: $limit, after: $after, filter: $filter, orderBy: UPDATED_DESC) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...PeerTaskFields
          output @include(if: $artifacts)
          artifacts @include(if: $artifacts)
        }
      }
    }
  `,
  [TaskFields],
);

const UNSPECIFIED = "TASK_STATE_UNSPECIFIED";
const STATUSES = new Map<string, Status>(
  // The keys of STATES are the statuses.
  (Object.keys(STATES) as Status[]).map((status) => [STATES[status], status]),
);

const shape = z.object({
  contextId: optionalContextId,
  status: z.enum([UNSPECIFIED, ...Object.values(STATES)]).nullish(),
  pageSize: optionalNumber({ min: 1, max: LIMITS.pageSize.max }),
  pageToken: optionalText,
  /** Lists have no history: that is at most as much as is asked for. */
  historyLength,
  statusTimestampAfter: z.iso.datetime({ offset: true, error: "must be a time, in ISO 8601" }).nullish(),
  includeArtifacts: optionalBoolean,
});

type ListInput = z.output<typeof shape>;

/**
 * Lists the tasks of the workspace, those that changed last first.
 *
 * @throws {A2aError} INVALID_PARAMS.
 */
export async function listTasks({ ctx, input }: Call): Promise<object> {
  requireScope(ctx, "tasks:read");
  const asked = readInput(shape, input);
  const { pageSize = LIMITS.pageSize.default, includeArtifacts } = asked;
  const after = asked.pageToken === undefined ? null : await openPageToken(ctx, asked, asked.pageToken);
  const { tasks } = await execute(ctx, ListTasks, {
    limit: pageSize,
    after,
    filter: createFilter(asked),
    messages: mayReadMessages(ctx),
    artifacts: includeArtifacts,
  });
  const { hasNextPage, endCursor } = tasks.pageInfo;
  return {
    tasks: tasks.nodes.map(({ output = null, artifacts = [], ...task }) =>
      taskJson(task, { artifacts: includeArtifacts ? toArtifacts({ output, artifacts }) : undefined }),
    ),
    nextPageToken: hasNextPage && endCursor !== null ? await sealPageToken(ctx, asked, endCursor) : "",
    pageSize,
    // More are not counted.
    totalSize: tasks.totalCount ?? LIMITS.countedMatches,
  };
}

function createFilter({ contextId, status, statusTimestampAfter: since }: ListInput) {
  const own = typeof status === "string" ? STATUSES.get(status) : undefined;
  return {
    ...(contextId !== undefined && { contextId }),
    ...(own !== undefined && { status: own }),
    ...(typeof since === "string" && { updatedAfter: toTimeBefore(since) }),
  };
}

/** The last millisecond before a time: ours are whole ones. */
function toTimeBefore(time: string): string {
  const isBetween = /\.\d{3}\d*[1-9]/.test(time);
  return new Date(Date.parse(time) - (isBetween ? 0 : 1)).toISOString();
}

const TOKEN_SECONDS = 86_400;

async function sealPageToken(ctx: Ctx, asked: ListInput, after: string): Promise<string> {
  const binding = getBinding(ctx, asked);
  return ctx.services.clientStates.seal({ after }, { binding, seconds: TOKEN_SECONDS });
}

/** @throws {A2aError} INVALID_PARAMS. */
async function openPageToken(ctx: Ctx, asked: ListInput, token: string): Promise<string> {
  const state = await ctx.services.clientStates.open(token, getBinding(ctx, asked));
  if (isObject(state) && typeof state["after"] === "string") return state["after"];
  throw createParamsError([
    {
      field: "pageToken",
      detail: "must be the nextPageToken of a list with the same filter, of the last 24 hours",
    },
  ]);
}

/** A token is for the same caller and filter only. */
function getBinding({ workspaceId, actor }: Ctx, asked: ListInput): string[] {
  const { contextId, status, statusTimestampAfter } = asked;
  const filter = JSON.stringify([contextId?.toLowerCase(), status, statusTimestampAfter]);
  return ["a2a page", workspaceId, createActorRecord(actor).id ?? "", filter];
}
