import { Link } from "wouter";
import { useUrlState } from "../../../data/use-url-state.ts";
import type { ShownAgent } from "./agent-query.ts";
import { CommandsTab } from "./tabs/commands-tab.tsx";
import { MessagesTab } from "./tabs/messages-tab.tsx";
import { TasksTab } from "./tabs/tasks-tab.tsx";
import { TracesTab } from "./tabs/traces-tab.tsx";

const TABS = [
  ["tasks", "Tasks", TasksTab],
  ["commands", "Commands", CommandsTab],
  ["messages", "Messages", MessagesTab],
  ["traces", "Traces", TracesTab],
] as const;

/** Tabs with an agent's tasks, commands, messages and traces. */
export function AgentTabs({ agent: { uuid } }: { agent: ShownAgent }) {
  const { values } = useUrlState({ tab: "tasks" });
  const [shown, label, Tab] = TABS.find(([name]) => name === values.tab) ?? TABS[0];
  return (
    <section className="stack-m" aria-label={label}>
      <nav className="agents-tabs" aria-label="Agent activity">
        {TABS.map(([name, title]) => (
          <Link
            key={name}
            href={name === "tasks" ? `/agents/${uuid}` : `/agents/${uuid}?tab=${name}`}
            aria-current={name === shown ? "true" : undefined}
            replace
          >
            {title}
          </Link>
        ))}
      </nav>
      <Tab key={shown} uuid={uuid} />
    </section>
  );
}
