import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import type { ShownServer } from "../server-fields.ts";
import { Definition } from "./definition.tsx";
import { NewerDefinition } from "./newer-definition.tsx";
import { ReviewMcpTools } from "./review-mutation.ts";
import { ToolChip } from "./tool-chip.tsx";
import type { ShownTool } from "./tool-fields.ts";

export type ReviewFormProps = {
  server: ShownServer;
  /** The newest of what waits. */
  waiting: readonly ShownTool[];
};

/** Shows the definitions as they were when the page was opened, and approves those that aren't left out. */
export function ReviewForm({ server, waiting }: ReviewFormProps) {
  const [read, setRead] = useState(waiting);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const { act, isBusy, problem } = useAct(ReviewMcpTools);
  const [, go] = useLocation();
  const chosen = read.filter(({ uuid }) => !leftOut.has(uuid));
  const home = `/mcp-servers/${server.uuid}`;

  async function approve(): Promise<void> {
    if (chosen.length === 0) return;
    const tools = chosen.map(({ id, hash }) => ({ id, hash }));
    if ((await act({ serverId: server.id, tools, verdict: "APPROVE" })) === null) return;
    showNotice(`${formatCount(tools.length, "tool has", "tools have")} been approved.`);
    go(home);
  }

  function leaveOut(uuid: string, isLeftOut: boolean): void {
    setLeftOut(new Set([...leftOut, uuid].filter((one) => one !== uuid || isLeftOut)));
  }

  if (read.length === 0) return <NothingWaits home={home} />;
  return (
    <>
      {!isSame(read, waiting) && (
        <NewerDefinition onShow={() => setRead(waiting)}>
          What waits has changed while you were reading it.
        </NewerDefinition>
      )}
      {read.map((tool) => (
        <ReviewedTool
          key={`${tool.uuid} ${tool.hash}`}
          tool={tool}
          isLeftOut={leftOut.has(tool.uuid)}
          onLeaveOut={(isLeftOut) => leaveOut(tool.uuid, isLeftOut)}
        />
      ))}
      <section className="card stack-m" aria-label="Decision">
        <Form
          sendLabel={`Approve ${chosen.length === 1 ? "this tool" : `these ${chosen.length}`}`}
          onSend={() => void approve()}
          onBack={() => go(home)}
          isBusy={isBusy || chosen.length === 0}
          problem={problem}
        >
          <p>{describeRest(countWaitingTools(server) - chosen.length)}</p>
        </Form>
      </section>
    </>
  );
}

function isSame(read: readonly ShownTool[], waiting: readonly ShownTool[]): boolean {
  const hashes = new Map(waiting.map(({ uuid, hash }) => [uuid, hash]));
  return read.length === waiting.length && read.every(({ uuid, hash }) => hashes.get(uuid) === hash);
}

function describeRest(count: number): string {
  const now = "Agents can then see and call them, as policies allow.";
  return count > 0 ? `${now} ${formatCount(count, "other waits", "others wait")} on.` : now;
}

function NothingWaits({ home }: { home: string }) {
  return (
    <p>
      Nothing waits for a review. <Link href={home}>Show all tools</Link>
    </p>
  );
}

type ReviewedToolProps = {
  tool: ShownTool;
  isLeftOut: boolean;
  onLeaveOut: (isLeftOut: boolean) => void;
};

function ReviewedTool({ tool, isLeftOut, onLeaveOut }: ReviewedToolProps) {
  const name = toVisibleText(tool.name);
  return (
    <article className="stack-m" aria-labelledby={`tool-${tool.uuid}`}>
      <div className="in-line">
        <h2 id={`tool-${tool.uuid}`}>{name}</h2>
        <ToolChip status={tool.status} />
      </div>
      <Definition tool={tool} heading="h3" />
      <CheckField
        label={`Leave out ${name}`}
        name={`leave-out-${tool.uuid}`}
        isChecked={isLeftOut}
        onChange={onLeaveOut}
      />
    </article>
  );
}
