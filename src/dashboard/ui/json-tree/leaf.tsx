import { useState } from "react";
import { toVisibleText } from "../to-visible-text.ts";
import { type Before, getChange } from "./before.ts";

export type LeafProps = {
  value: unknown;
  before?: Before | undefined;
  /** Whether only the value before had it. */
  isRemoved?: boolean;
};

/** A value without members, and how it differs from the one before. */
export function Leaf({ value, before, isRemoved = false }: LeafProps) {
  const change = isRemoved ? "removed" : getChange(value, before);
  return (
    <>
      <Value value={value} isGone={isRemoved} />
      {change !== null && <span className="badge badge-warn">{change}</span>}
      {change === "changed" && (
        <span className="tree-before small soft">
          was <Value value={before?.value} isGone />
        </span>
      )}
    </>
  );
}

const LONG = 400;

function Value({ value, isGone }: { value: unknown; isGone: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const { text, isBlock } = toText(value);
  const isCut = !isWhole && text.length > LONG;
  const shown = isCut ? `${text.slice(0, LONG)}…` : text;
  const Tag = isGone ? "del" : "code";
  return (
    <>
      <Tag className={isBlock ? "tree-value tree-block" : "tree-value"}>{shown}</Tag>
      {isCut && (
        <button type="button" className="button button-link" onClick={() => setIsWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

/** Texts of one line are quoted, so that "900" and 900 differ; those of several are shown as written. */
function toText(value: unknown): { text: string; isBlock: boolean } {
  if (typeof value === "string" && value.includes("\n")) {
    return { text: toVisibleText(value, "\n\t"), isBlock: true };
  }
  return { text: toVisibleText(JSON.stringify(value) ?? "null"), isBlock: false };
}
