import { Facts } from "../../../ui/facts.tsx";
import { Json } from "../../../ui/json.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import { listCapabilities } from "../../commands/form/capabilities.ts";
import type { ShownAgent } from "./agent-query.ts";
import { CaptureButton, describeCapture } from "./capture-button.tsx";
import { LabelsButton } from "./labels-button.tsx";

/** An agent's details and capabilities. */
export function AgentFacts({ agent }: { agent: ShownAgent }) {
  return (
    <div className="stack">
      <section className="card stack-m" aria-label="Details">
        {agent.description !== null && <p>{agent.description}</p>}
        <Facts
          facts={[
            ["Handle", <code key="handle">{agent.handle}</code>],
            ["Kind", toWords(agent.kind)],
            ["Version", agent.version],
            ["Labels", <Labels key="labels" labels={agent.labels} />],
            ["Prompts and answers", describeCapture(agent)],
            ["First seen", <TimeAgo key="created" at={agent.createdAt} />],
          ]}
        />
        <div className="in-line">
          <LabelsButton agent={agent} />
          <CaptureButton agent={agent} />
        </div>
      </section>
      <section className="card stack-m" aria-labelledby="agent-capabilities">
        <h2 id="agent-capabilities">Capabilities</h2>
        <Capabilities agent={agent} />
      </section>
    </div>
  );
}

function Labels({ labels }: { labels: unknown }) {
  const entries = typeof labels === "object" && labels !== null ? Object.entries(labels) : [];
  if (entries.length === 0) return "–";
  return (
    <span className="tags">
      {entries.map(([name, value]) => (
        <span key={name} className="tag">
          {name}={String(value)}
        </span>
      ))}
    </span>
  );
}

function Capabilities({ agent: { capabilities } }: { agent: ShownAgent }) {
  const known = listCapabilities([{ capabilities }]);
  if (known.length > 0) {
    return (
      <span className="tags">
        {known.map(({ type }) => (
          <span key={type} className="tag">
            {type}
          </span>
        ))}
      </span>
    );
  }
  const isNothing =
    typeof capabilities !== "object" || capabilities === null || Object.keys(capabilities).length === 0;
  if (isNothing) return <p className="soft">None declared.</p>;
  return <Json value={capabilities} label="Capabilities" />;
}
