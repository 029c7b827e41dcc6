import { useState } from "react";
import { type Before, getChange } from "./before.ts";
import { toValueText } from "./to-value-text.ts";

export type TreeDisplay = {
  /** Whether all of it is shown at first, for who has to read all of it. */
  isWhole?: boolean;
  /** Whether texts are without quotes, for what is read and not decided on: a text could imitate a mark of ours. */
  isPlain?: boolean;
};

export type LeafProps = {
  value: unknown;
  before?: Before | undefined;
  /** Whether only the value before had it. */
  isRemoved?: boolean;
  display: TreeDisplay;
};

/** A value without members, and how it differs from the one before. */
export function Leaf({ value, before, isRemoved = false, display }: LeafProps) {
  const change = isRemoved ? "removed" : getChange(value, before);
  return (
    <>
      <Value value={value} isGone={isRemoved} display={display} />
      {change !== null && <span className="badge badge-warn">{change}</span>}
      {change === "changed" && (
        <span className="tree-before small soft">
          was <Value value={before?.value} isGone display={display} />
        </span>
      )}
    </>
  );
}

const LONG = 400;

type ValueProps = { value: unknown; isGone: boolean; display: TreeDisplay };

function Value({ value, isGone, display }: ValueProps) {
  const [isWhole, setIsWhole] = useState(display.isWhole === true);
  const { text, isBlock } = toValueText(value, display.isPlain);
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
