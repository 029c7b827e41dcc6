import { z } from "zod";
import { AgentKind } from "../../db/generated/enums.ts";
import { labels } from "../kernel/input.ts";

/** Which agents a stop is for: those of a kind, with all of some labels. */
export const stopScope = z
  .strictObject({ kind: z.enum(AgentKind).nullish(), labels: labels.nullish() })
  .refine(
    ({ kind, labels: named }) => Boolean(kind) || Object.keys(named ?? {}).length > 0,
    "must have a kind or at least one label",
  );

/** A stop's scope. Null and no labels for all agents. */
export type StopScope = { kind: AgentKind | null; labels: Record<string, string> };

/** Returns a parsed scope. */
export function toStopScope(scope: z.output<typeof stopScope> | null | undefined): StopScope {
  return { kind: scope?.kind ?? null, labels: scope?.labels ?? {} };
}

/** Whether a scope has all agents. */
export function isOfAll({ kind, labels: named }: StopScope): boolean {
  return kind === null && Object.keys(named).length === 0;
}
