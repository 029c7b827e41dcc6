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

/** An agent's call with its command's id as the domain has it. */
function toDomainInput<Input extends { id: string; clientMutationId?: string | null }>(input: Input) {
  const { clientMutationId: _id, id, ...rest } = input;
  return { ...rest, id: fromGlobalId("id", "AgentCommand", id) };
}

const AgentSelector = builder.inputType("AgentSelector", {
  description: "Agents of a kind, with all of some labels, or both.",
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum }),
    labels: t.field({ type: "JSON", description: "Short texts by short names." }),
  }),
});

builder.relayMutationField(
  "issueAgentCommand",
  {
    inputFields: (t) => ({
      agentId: t.id({ description: "The one agent that it is for." }),
      selector: t.field({ type: AgentSelector, description: "Or every agent that this names; 500 at most." }),
      type: t.string({
        required: true,
        description: "Built in, such as `agent.pause`, or `custom.` and a name.",
      }),
      params: t.field({
        type: "JSON",
        description: "An object of at most 64 KiB, as the agent declares it.",
      }),
      priority: t.field({
        type: CommandPriorityEnum,
        description:
          "`NORMAL` where it is left out; `agent.pause`, `agent.resume` and `agent.stop` are always urgent.",
      }),
      expiresInSeconds: t.int({ description: "1 to 2,592,000; 3,600 where it is left out." }),
      notBefore: t.field({ type: "DateTime", description: "Not delivered before." }),
      ackTimeoutSeconds: t.int({ description: "1 to 3,600; 30 where it is left out." }),
      runTimeoutSeconds: t.int({ description: "1 to 86,400; 600 where it is left out." }),
      taskId: t.id({ description: "The task that it is about." }),
      missionId: t.id({ description: "The mission that it is about." }),
    }),
  },
  {
    description: "Issues a command to one agent, or the same to each of many.",
    resolve: (_root, { input }, ctx) => {
      const { clientMutationId: _id, agentId, selector, taskId, missionId, params, type, ...rest } = input;
      // What is no text or no object is refused by the verb.
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
        description: "One for each agent.",
        resolve: ({ commands }) => commands,
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
      ifGeneration: t.intList({ description: "Refused where the command is of none of these generations." }),
    }),
  },
  {
    description: "Cancels a command that has not ended.",
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
      limit: t.int({ description: "1 to 100; 10 where it is left out." }),
      waitSeconds: t.int({ description: "How long to wait where there is none, 0 to 25." }),
      priority: t.field({ type: CommandPriorityEnum, description: "Only those of this priority." }),
      redeliver: t.boolean({
        description: "Whether to get what was delivered and not acknowledged again: for who starts anew.",
      }),
    }),
  },
  {
    description:
      "Delivers to the calling agent what is its turn: every urgent command, and its first normal one where none waits to be acknowledged.",
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
  "What an agent makes of a command: it will carry it out, it won't, or not yet.",
);

builder.relayMutationField(
  "ackAgentCommand",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      outcome: t.field({ type: Outcome, required: true }),
      reason: t.string({ description: REASON }),
      retryAfterSeconds: t.int({
        description: "When a deferred command comes again: 1 to 86,400; 60 where it is left out.",
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
    description: "Tells that a command is being carried out, and how far it is.",
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
  "What came of a command.",
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
      error: t.field({ type: Failure, description: "For a failure, and only there." }),
    }),
  },
  {
    description:
      "Tells what came of a command. The first report counts; after the time-out it is kept as late.",
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
    "What a stream of commands brings. It has no cursor to go on from: what is not acknowledged comes again.",
  types: [StreamOpened, AgentCommand],
  resolveType: (frame) => ("kind" in frame ? StreamOpened : AgentCommand),
});

builder.subscriptionField("agentCommands", (t) =>
  t.field({
    type: AgentCommandFrame,
    description:
      "The calling agent's commands as they become its turn: first, again, what it has not acknowledged.",
    subscribe: async (_root, _args, ctx): Promise<AsyncIterable<CommandFrame>> => {
      const ended = new AbortController();
      const commands = streamAgentCommands(ctx, ended.signal);
      const { newest: at } = await readStart(ctx, null);
      return prependOpenFrame({ kind: "opened", at, live: false }, { commands, end: () => ended.abort() });
    },
    resolve: (frame) => frame,
  }),
);

/** A stream of commands with what tells that it is open before it. */
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
      // A generator that waits would only end when it is woken.
      end();
      return commands.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
