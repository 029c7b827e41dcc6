import type { AgentCommand as Command } from "../../db/generated/client.ts";
import { acknowledgeAgentCommand } from "../../domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandProgress } from "../../domain/agent-commands/report-agent-command-progress.ts";
import { reportAgentCommandResult } from "../../domain/agent-commands/report-agent-command-result.ts";
import { streamAgentCommands } from "../../domain/agent-commands/stream-agent-commands.ts";
import { readStart } from "../../domain/event-log/read-start.ts";
import type { SubscriptionFrame } from "../../live/subscription-frame.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentCommand, CommandPriorityEnum } from "./agent-command.ts";
import { AgentKindEnum } from "./agent.ts";
import { StreamOpened } from "./event.ts";

const REASON = "1 to 2,000 characters.";

/** Drops `clientMutationId` and converts the command's Relay id to its uuid. */
function toDomainInput<Input extends { id: string; clientMutationId?: string | null }>(input: Input) {
  const { clientMutationId: _id, id, ...rest } = input;
  return { ...rest, id: fromGlobalId("id", "AgentCommand", id) };
}

export const AgentSelector = builder.inputType("AgentSelector", {
  description: "Selects agents by kind, labels or both. An agent must match all of them.",
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum }),
    labels: t.field({ type: "JSON", description: "An object of short strings." }),
  }),
});

builder.relayMutationField(
  "issueAgentCommand",
  {
    inputFields: (t) => ({
      agentId: t.id({ description: "The agent to send the command to. Give this or `selector`." }),
      selector: t.field({
        type: AgentSelector,
        description: "Sends the command to each matching agent, at most 500. Give this or `agentId`.",
      }),
      type: t.string({
        required: true,
        description: "A built-in type such as `agent.pause`, or `custom.<name>`.",
      }),
      params: t.field({
        type: "JSON",
        description:
          "An object of at most 64 KiB, and 4 MiB for all agents. Validated against the schema that the agent declares.",
      }),
      priority: t.field({
        type: CommandPriorityEnum,
        description: "Default `NORMAL`. `agent.pause`, `agent.resume` and `agent.stop` are always urgent.",
      }),
      expiresInSeconds: t.int({ description: "1 to 2,592,000. Default 3,600." }),
      notBefore: t.field({ type: "DateTime", description: "The command is not delivered before this time." }),
      ackTimeoutSeconds: t.int({ description: "1 to 3,600. Default 30." }),
      runTimeoutSeconds: t.int({ description: "1 to 86,400. Default 600." }),
      taskId: t.id({ description: "The task that the command concerns." }),
      missionId: t.id({ description: "The mission that the command concerns." }),
    }),
  },
  {
    description: "Issues a command to one agent, or to each agent that a selector matches.",
    resolve: (_root, { input }, ctx) => {
      const { clientMutationId: _id, agentId, selector, taskId, missionId, params, type, ...rest } = input;
      // issueAgentCommands() validates both.
      const labels = selector?.labels as Record<string, string> | null | undefined;
      const order = params as Record<string, unknown> | null | undefined;
      return issueAgentCommands(ctx, {
        ...omitNulls({ ...rest, params: order }),
        type,
        agentId: fromOptionalGlobalId("agentId", "Agent", agentId),
        selector: selector ? { kind: selector.kind, labels } : null,
        taskId: fromOptionalGlobalId("taskId", "Task", taskId),
        missionId: fromOptionalGlobalId("missionId", "Mission", missionId),
      });
    },
  },
  {
    outputFields: (t) => ({
      batchId: t.expose("batchId", { type: "UUID" }),
      agentCommands: t.field({
        type: [AgentCommand],
        description:
          "One command per agent. For a repeated request only the first 4 MiB of them, with their results.",
        resolve: ({ commands }) => commands,
      }),
      hasMore: t.exposeBoolean("isCut", {
        description: "Whether commands were left out. `agentCommands` lists all, by `batchId`.",
      }),
    }),
  },
);

builder.relayMutationField(
  "cancelAgentCommand",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: REASON }),
      ifGeneration: t.intList({
        description: "Fails with `precondition_failed` unless the command's generation is one of these.",
      }),
    }),
  },
  {
    description: "Cancels a command that has not finished.",
    resolve: async (_root, { input }, ctx) => ({
      command: await cancelAgentCommand(ctx, toDomainInput(input)),
    }),
  },
  {
    outputFields: (t) => ({
      agentCommand: t.field({ type: AgentCommand, resolve: ({ command }) => command }),
    }),
  },
);

builder.relayMutationField(
  "nextAgentCommands",
  {
    inputFields: (t) => ({
      limit: t.int({ description: "1 to 100. Default 10." }),
      waitSeconds: t.int({ description: "How long to wait if no command is due, 0 to 25." }),
      priority: t.field({ type: CommandPriorityEnum, description: "Only commands of this priority." }),
      redeliver: t.boolean({
        description:
          "Also returns commands that were delivered but not acknowledged. Use it after a restart.",
      }),
    }),
  },
  {
    description:
      "Delivers due commands to the calling agent: all urgent ones, and the next normal one unless an " +
      "earlier one is unacknowledged.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, ...asked } = input;
      return { commands: await nextAgentCommands(ctx, omitNulls(asked)) };
    },
  },
  {
    outputFields: (t) => ({
      agentCommands: t.field({ type: [AgentCommand], resolve: ({ commands }) => commands }),
    }),
  },
);

const Outcome = addEnum(
  "AgentCommandOutcome",
  { accepted: "accepted", rejected: "rejected", deferred: "deferred" } as const,
  "An agent's answer to a command: it accepts, rejects or defers it.",
);

builder.relayMutationField(
  "ackAgentCommand",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      outcome: t.field({ type: Outcome, required: true }),
      reason: t.string({ description: REASON }),
      retryAfterSeconds: t.int({
        description: "When to redeliver a deferred command: 1 to 86,400. Default 60.",
      }),
    }),
  },
  {
    description: "Acknowledges a command that was delivered to the calling agent.",
    resolve: async (_root, { input }, ctx) => ({
      command: await acknowledgeAgentCommand(ctx, toDomainInput(input)),
    }),
  },
  {
    outputFields: (t) => ({
      agentCommand: t.field({ type: AgentCommand, resolve: ({ command }) => command }),
    }),
  },
);

builder.relayMutationField(
  "reportAgentCommandProgress",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      progress: t.float({ description: "0 to 1." }),
      detail: t.string({ description: REASON }),
    }),
  },
  {
    description: "Reports that a command is running, and its progress.",
    resolve: async (_root, { input }, ctx) => ({
      command: await reportAgentCommandProgress(ctx, toDomainInput(input)),
    }),
  },
  {
    outputFields: (t) => ({
      agentCommand: t.field({ type: AgentCommand, resolve: ({ command }) => command }),
    }),
  },
);

const Reported = addEnum(
  "AgentCommandReport",
  { succeeded: "succeeded", failed: "failed" } as const,
  "How a command ended.",
);

const Failure = builder.inputType("AgentCommandFailure", {
  fields: (t) => ({
    code: t.string({ required: true, description: "1 to 64 characters." }),
    message: t.string({ required: true, description: REASON }),
  }),
});

builder.relayMutationField(
  "reportAgentCommandResult",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      status: t.field({ type: Reported, required: true }),
      result: t.field({ type: "JSON", description: "At most 256 KiB." }),
      error: t.field({ type: Failure, description: "Required for a failure, not allowed otherwise." }),
    }),
  },
  {
    description:
      "Reports a command's result. Only the first report counts. After the timeout it is stored as late.",
    resolve: async (_root, { input }, ctx) => ({
      command: await reportAgentCommandResult(ctx, toDomainInput(input)),
    }),
  },
  {
    outputFields: (t) => ({
      agentCommand: t.field({ type: AgentCommand, resolve: ({ command }) => command }),
    }),
  },
);

type CommandFrame = Extract<SubscriptionFrame, { kind: "opened" }> | Command;

const AgentCommandFrame = builder.unionType("AgentCommandFrame", {
  description:
    "A frame of a command stream. There is no cursor: unacknowledged commands are delivered again.",
  types: [StreamOpened, AgentCommand],
  resolveType: (frame) => ("kind" in frame ? StreamOpened : AgentCommand),
});

builder.subscriptionField("agentCommands", (t) =>
  t.field({
    type: AgentCommandFrame,
    description:
      "Streams the calling agent's commands as they become due, starting with unacknowledged ones.",
    subscribe: async (_root, _args, ctx): Promise<AsyncIterable<CommandFrame>> => {
      const ended = new AbortController();
      const commands = streamAgentCommands(ctx, ended.signal);
      const { newest: at } = await readStart(ctx, null);
      return prependOpenFrame({ kind: "opened", at, live: false }, { commands, end: () => ended.abort() });
    },
    resolve: (frame) => frame,
  }),
);

/** Puts an `opened` frame before the commands. */
function prependOpenFrame(
  first: Extract<CommandFrame, { kind: string }>,
  { commands, end }: { commands: AsyncGenerator<Command, void>; end: () => void },
): AsyncIterableIterator<CommandFrame, void> {
  let isOpen = false;
  return {
    next: async () => {
      if (isOpen) return commands.next();
      isOpen = true;
      return { done: false, value: first };
    },
    return: async () => {
      // Wakes the generator. Otherwise it would wait for the next command before it ends.
      end();
      return commands.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
