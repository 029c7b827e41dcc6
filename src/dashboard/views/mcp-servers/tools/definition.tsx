import { Differences } from "../../../ui/differences.tsx";
import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { countUnseen, toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import { listDefinitionChanges } from "./list-definition-changes.ts";
import type { ShownTool } from "./tool-fields.ts";

export type DefinitionProps = {
  /** The level of its headings. */
  heading: "h2" | "h3";
  tool: Pick<ShownTool, "name" | "status" | "hash" | "definition" | "approvedDefinition">;
};

/** A tool as its server defines it: what differs from what was approved, then all of it. */
export function Definition({ tool, heading: Heading }: DefinitionProps) {
  const { name, status, hash, definition, approvedDefinition } = tool;
  const shown = toVisibleText(name);
  const isCompared = approvedDefinition !== null && status !== "APPROVED" && status !== "GONE";
  const changes = isCompared ? listDefinitionChanges(approvedDefinition, definition) : [];
  return (
    <>
      <Warnings tool={tool} />
      {changes.length > 0 && (
        <section className="card stack-m" aria-label={`What differs from what was approved: ${shown}`}>
          <Heading>What differs from what was approved</Heading>
          <Differences differences={changes} />
        </section>
      )}
      <section className="card stack-m" aria-label={`Definition: ${shown}`}>
        <Heading>Definition</Heading>
        <p className="small soft">The server has written it. Models read all of it.</p>
        <JsonTree value={definition} label="Definition as a tree" isWhole />
        <p className="small soft">
          SHA-256 <code className="mcp-hash">{hash}</code>
        </p>
      </section>
    </>
  );
}

/** Texts that could mislead whoever reads them. */
function Warnings({ tool: { name, definition } }: Pick<DefinitionProps, "tool">) {
  const unseen = countUnseen(JSON.stringify(definition) ?? "");
  return (
    <>
      {unseen > 0 && (
        <p className="notice notice-warn">
          {formatCount(unseen, "character can’t be seen or changes", "characters can’t be seen or change")}{" "}
          the order of others. Shown are escapes such as <code>{String.raw`\u{202e}`}</code>.
        </p>
      )}
      {!/^[\x20-\x7e]*$/.test(name) && (
        <p className="notice notice-warn">
          The name has characters that may look like others, such as a Cyrillic “а” like a Latin “a”.
        </p>
      )}
    </>
  );
}
