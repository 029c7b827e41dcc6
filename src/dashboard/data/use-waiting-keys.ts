import { useEffect } from "react";
import { applyMoves, movedItems, settleMoves } from "./inbox-archive.ts";
import { graphql } from "./graphql.ts";
import { useStore } from "./store.ts";
import { useLiveQuery } from "./use-live-query.ts";

/** What changes what waits for people. Many may be asked at once. */
export const INBOX_FRESHNESS = {
  types: ["message.*", "task.*", "approval.*", "execution.*", "mcp_server.*", "mcp_tool.*", "inbox_item.*"],
  apartMs: 2000,
};

/** The most of each kind that the inbox shows, those that wait longest. A workspace has at most 100 MCP servers. */
const WaitingKeys = graphql(`
  query WaitingKeys {
    archivedInboxItems
    messages(last: 50, filter: { waiting: true }) {
      totalCount
      nodes {
        id
        uuid
      }
    }
    approvals(last: 50, filter: { status: PENDING }) {
      totalCount
      nodes {
        id
        uuid
      }
    }
    executions(last: 50, filter: { status: UNKNOWN }) {
      totalCount
      nodes {
        id
        uuid
      }
    }
    mcpServers(first: 100) {
      nodes {
        id
        uuid
        toolCounts {
          pending
          changed
        }
      }
    }
  }
`);

export type WaitingKeys = {
  /** The keys of what waits for people and isn't archived. Null before the first answer. */
  keys: readonly string[] | null;
  /** How much waits, also what isn't shown. */
  count: number;
  /** The keys of what the user archived. */
  archived: ReadonlySet<string>;
  refresh: () => void;
};

const NONE: readonly string[] = [];

type Counted = { totalCount: number | null; nodes: readonly { uuid: string }[] };

/** What waits for people: questions, approvals, executions of unknown outcome, and MCP servers with tools to review. */
export function useWaitingKeys(): WaitingKeys {
  const moved = useStore(movedItems);
  const { data, refresh } = useLiveQuery(WaitingKeys, {}, { ...INBOX_FRESHNESS, isAlsoHidden: true });
  const saved = data?.archivedInboxItems ?? NONE;
  useEffect(() => settleMoves(saved), [saved]);
  const archived = applyMoves(saved, moved);
  if (data === null) return { keys: null, count: 0, archived, refresh };
  const { messages, approvals, executions, mcpServers } = data;
  const listed: Counted[] = [messages, approvals, executions];
  const all = [
    ...listed.flatMap(({ nodes }) => nodes.map(({ uuid }) => uuid)),
    ...mcpServers.nodes.flatMap(getServerKey),
  ];
  const keys = all.filter((key) => !archived.has(key));
  const unlisted = listed.reduce((sum, { totalCount, nodes }) => sum + (totalCount ?? 0) - nodes.length, 0);
  return { keys, count: keys.length + Math.max(0, unlisted), archived, refresh };
}

type Server = { uuid: string; toolCounts: { pending: number; changed: number } };

/** The key of a server whose tools wait, which changes with their number. None if no tool waits. */
export function getServerKey({ uuid, toolCounts: { pending, changed } }: Server): string[] {
  return pending + changed === 0 ? [] : [`${uuid} ${pending} ${changed}`];
}
