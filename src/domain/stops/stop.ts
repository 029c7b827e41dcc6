import type { Stop as StopRow } from "../../db/generated/client.ts";
import type { ActorRecord } from "../kernel/actor.ts";
import type { EventInput } from "../kernel/events.ts";
import type { StopScope } from "./stop-scope.ts";

/** How an admin resumed some agents of a stop. */
export type StopStage = {
  /** Also the batch id of its commands. */
  id: string;
  at: string;
  by: ActorRecord;
  reason: string;
  /** The agents that it resumed. */
  count: number;
  /** Which were meant: those with labels, or a percentage; null for those that were named. */
  labels: Record<string, string> | null;
  percent: number | null;
};

/** A stop, as it is stored. */
export type Stop = Omit<StopRow, "labels" | "by" | "stages" | "releasedBy"> &
  StopScope & { by: ActorRecord; stages: StopStage[]; releasedBy: ActorRecord | null };

/** Gives a stop's JSON columns their types: they are written by the use cases of this folder. */
export function toStop({ labels, by, stages, releasedBy, ...row }: StopRow): Stop {
  return {
    ...row,
    labels: labels as Stop["labels"],
    by: by as ActorRecord,
    stages: stages as StopStage[],
    releasedBy: releasedBy as ActorRecord | null,
  };
}

/** Builds an event of a stop, such as `stop.started`. */
export function stopEvent(type: string, { id }: Pick<Stop, "id">, data: Record<string, unknown>): EventInput {
  return { type, subjectType: "stop", subjectId: id, data };
}

/** The lists that show whether agents and robots are stopped. */
export const LISTS_WITH_STOPS = [
  { collection: "agents", from: null, to: null },
  { collection: "robots", from: null, to: null },
] as const;
