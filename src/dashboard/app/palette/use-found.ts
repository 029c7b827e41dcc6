import { useDeferredValue } from "react";
import { useStore } from "../../data/store.ts";
import { isUuid } from "../../data/global-id.ts";
import { useNewest } from "../../data/use-newest.ts";
import { VIEWS } from "../views.ts";
import { type Entry, matching, viewEntries } from "./entries.ts";

const SHOWN = 12;

const PLACES: readonly Entry[] = [
  ...VIEWS.map(({ path, label }) => ({ key: path, label, kind: "View", to: path })),
  { key: "settings", label: "Settings", kind: "Page", to: () => window.location.assign("/settings") },
  { key: "members", label: "Members", kind: "Page", to: () => window.location.assign("/settings/members") },
];

/** What the palette offers for what was typed: views and acts, agents and tasks, or where an id leads to. */
export function useFound(typed: string): Entry[] {
  const text = useDeferredValue(typed.trim());
  const acts = useStore(viewEntries);
  const data = useNewest();
  if (isUuid(text)) return entriesOfId(text.toLowerCase());
  const agents = data?.agents.nodes.map(({ uuid, name, handle }) => ({
    key: uuid,
    label: name === handle ? name : `${name} (${handle})`,
    kind: "Agent",
    to: `/agents/${uuid}`,
  }));
  const tasks = data?.tasks.nodes.map(({ uuid, title }) => ({
    key: uuid,
    label: title,
    kind: "Task",
    to: `/tasks/${uuid}`,
  }));
  const fixed = [...acts, ...PLACES];
  const searched = text === "" ? [] : [...(agents ?? []), ...(tasks ?? [])];
  return matching([...fixed, ...searched], text).slice(0, SHOWN);
}

function entriesOfId(uuid: string): Entry[] {
  return [
    { key: "agent", label: `Agent ${uuid}`, kind: "Agent", to: `/agents/${uuid}` },
    { key: "task", label: `Task ${uuid}`, kind: "Task", to: `/tasks/${uuid}` },
    { key: "command", label: `Command ${uuid}`, kind: "Command", to: `/commands/${uuid}` },
    { key: "mission", label: `Mission ${uuid}`, kind: "Mission", to: `/missions/${uuid}` },
  ];
}
