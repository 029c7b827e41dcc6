import type { PaletteEntry } from "./entries.ts";
import { FOUND_KINDS } from "./found-kinds.ts";
import { runWhenOffered } from "./pending-act.ts";
import type { Hit, SearchKind } from "./search-query.ts";

/** Statuses in which an act is possible, and the key of its entry on the page of what it is done to. */
type Act = { key: string; statuses: readonly string[] };

const OPEN_TASK = ["submitted", "working", "input_required", "auth_required"];
const ENDED_TASK = ["completed", "failed", "canceled", "rejected"];
const OPEN_COMMAND = ["awaiting_approval", "queued", "delivered", "acknowledged", "running"];
const OPEN_MISSION = ["awaiting_approval", "pending", "assigned", "running", "paused"];

/** The acts by the word that asks for them. */
const ACTS: Readonly<Record<string, Partial<Record<SearchKind, Act>>>> = {
  pause: {
    AGENT: { key: "agent-pause", statuses: ["active"] },
    MISSION: { key: "mission-pause", statuses: ["running"] },
  },
  resume: {
    AGENT: { key: "agent-resume", statuses: ["paused", "stopped"] },
    MISSION: { key: "mission-resume", statuses: ["paused"] },
  },
  stop: { AGENT: { key: "agent-stop", statuses: ["active", "paused"] } },
  cancel: {
    TASK: { key: "task-act", statuses: OPEN_TASK },
    MISSION: { key: "mission-cancel", statuses: OPEN_MISSION },
    AGENT_COMMAND: { key: "command-cancel", statuses: OPEN_COMMAND },
  },
  retry: { TASK: { key: "task-act", statuses: ENDED_TASK } },
};

/** The kinds of things that an act is done to. Empty if it is none. */
export function listActKinds(act: string): SearchKind[] {
  // Object.keys() loses the names' types.
  return Object.keys(findAct(act)) as SearchKind[];
}

/** The entries for an act on what was found: each opens its page, and there the dialog that its button opens. */
export function toActEntries(act: string, hits: readonly Hit[]): PaletteEntry[] {
  const title = act.charAt(0).toUpperCase() + act.slice(1);
  return hits.flatMap(({ kind, uuid, name, status }) => {
    const { key, statuses } = findAct(act)[kind] ?? { key: "", statuses: [] };
    if (!statuses.includes(status ?? "")) return [];
    const { kind: of, place } = FOUND_KINDS[kind];
    return [
      {
        key: `${act}-${uuid}`,
        label: `${title} ${name ?? of}`,
        kind: "Action",
        detail: of,
        to: () => runWhenOffered(place + uuid, key),
      },
    ];
  });
}

function findAct(act: string): Partial<Record<SearchKind, Act>> {
  return Object.hasOwn(ACTS, act) ? (ACTS[act] ?? {}) : {};
}
