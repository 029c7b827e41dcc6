import { useState } from "react";
import { type Before, getChange } from "./before.ts";
import { toValueText } from "./to-value-text.ts";

export type LeafProps = {
  value: unknown;
  before?: Before | undefined;
  /** Whether only the value before had it. */
  isRemoved?: boolean;
  /** Whether long texts are shown whole at first. */
  isWhole?: boolean;
};

/** A value without members, and how it differs from the one before. */
export function Leaf({ value, before, isRemoved = false, isWhole = false }: LeafProps) {
  const change = isRemoved ? "removed" : getChange(value, before);
  return (
    <>
      <Value value={value} isGone={isRemoved} isWholeAtFirst={isWhole} />
      {change !== null && <span className="badge badge-warn">{change}</span>}
      {change === "changed" && (
        <span className="tree-before small soft">
          was <Value value={before?.value} isGone isWholeAtFirst={isWhole} />
        </span>
      )}
    </>
  );
}

const LONG = 400;

type ValueProps = { value: unknown; isGone: boolean; isWholeAtFirst: boolean };

function Value({ value, isGone, isWholeAtFirst }: ValueProps) {
  const [isWhole, setIsWhole] = useState(isWholeAtFirst);
  const { text, isBlock } = toValueText(value);
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
