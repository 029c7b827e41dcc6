import type { Difference } from "../../../ui/difference.ts";
import { type Before, getChange, isBranch, listMembers } from "../../../ui/json-tree/before.ts";
import { toValueText } from "../../../ui/json-tree/to-value-text.ts";
import { toVisibleText } from "../../../ui/to-visible-text.ts";

/** What differs between two definitions, member by member, each with its path. */
export function listDefinitionChanges(before: unknown, after: unknown): Difference[] {
  const whole = { isThere: true, value: before };
  if (isBranch(after) && getChange(after, whole) === null) return listWithin("", after, whole);
  return [{ field: "definition", before: toText(before), after: toText(after) }];
}

function listWithin(path: string, value: object, before: Before | undefined): Difference[] {
  return listMembers(value, before).flatMap((member): Difference[] => {
    const field = path === "" ? toStep(member.name) : `${path} › ${toStep(member.name)}`;
    if (member.isRemoved) return [{ field, before: toText(member.value), after: null }];
    const change = getChange(member.value, member.before);
    if (change === "new") return [{ field, before: null, after: toText(member.value) }];
    if (change === "changed") {
      return [{ field, before: toText(member.before?.value), after: toText(member.value) }];
    }
    return isBranch(member.value) ? listWithin(field, member.value, member.before) : [];
  });
}

/** Names that could be taken for a path are quoted. */
function toStep(name: string): string {
  return /^[\w$-]+$/.test(name) ? name : toVisibleText(JSON.stringify(name));
}

function toText(value: unknown): string {
  return toValueText(value).text;
}
