import { type SyntheticEvent, useState } from "react";
import { toVisibleText } from "../to-visible-text.ts";
import { formatCount } from "../words.ts";
import { type Before, type Member, getChange, isBranch, listMembers } from "./before.ts";
import { Leaf, type TreeDisplay } from "./leaf.tsx";

export type JsonTreeProps = TreeDisplay & {
  value: unknown;
  /** For screen readers. */
  label: string;
  /** Another value to compare with: what is new, changed or missing is marked. */
  before?: Before;
};

/** A JSON value as nested lists. Members of members fold; nothing that is folded is rendered. */
export function JsonTree({ value, label, before, ...display }: JsonTreeProps) {
  return (
    <div className="tree" role="group" aria-label={label}>
      {isBranch(value) ? (
        <Members value={value} before={before} depth={0} display={display} />
      ) : (
        <Leaf value={value} before={before} display={display} />
      )}
    </div>
  );
}

/** Members shown at once. */
const SHOWN = 100;

type MembersProps = { value: object; before: Before | undefined; depth: number; display: TreeDisplay };

function Members({ value, before, depth, display }: MembersProps) {
  const [shown, setShown] = useState(display.isWhole ? Infinity : SHOWN);
  const members = listMembers(value, before);
  const more = members.length - shown;
  return (
    <ul className="tree-members">
      {members.slice(0, shown).map((member) => (
        <li key={`${member.isRemoved} ${member.name}`}>
          <MemberItem member={member} depth={depth} display={display} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <button type="button" className="button button-link" onClick={() => setShown(shown + SHOWN)}>
            Show {Math.min(more, SHOWN)} of {more.toLocaleString("en")} more
          </button>
        </li>
      )}
    </ul>
  );
}

type MemberItemProps = { member: Member; depth: number; display: TreeDisplay };

function MemberItem({ member, depth, display }: MemberItemProps) {
  const { name, value, before, isRemoved } = member;
  const title = <span className="tree-name">{toVisibleText(name)}</span>;
  if (isBranch(value) && !isRemoved && getChange(value, before) !== "changed") {
    return <Branch title={title} value={value} before={before} depth={depth} display={display} />;
  }
  return (
    <>
      {title} <Leaf value={value} before={before} isRemoved={isRemoved} display={display} />
    </>
  );
}

/** What is open at first. */
const OPEN_DEPTH = 2;
const OPEN_MEMBERS = 20;

type BranchProps = MembersProps & { title: React.ReactNode };

function Branch({ title, value, before, depth, display }: BranchProps) {
  const count = Object.keys(value).length;
  const [isOpen, setIsOpen] = useState(display.isWhole || (depth < OPEN_DEPTH && count <= OPEN_MEMBERS));
  const isNew = getChange(value, before) === "new";

  function onToggle({ currentTarget }: SyntheticEvent<HTMLDetailsElement>): void {
    setIsOpen(currentTarget.open);
  }

  return (
    <details open={isOpen} onToggle={onToggle}>
      <summary>
        {title}{" "}
        <span className="small soft">
          {Array.isArray(value) ? formatCount(count, "item") : formatCount(count, "member")}
        </span>
        {isNew && <span className="badge badge-warn">new</span>}
      </summary>
      {isOpen && (
        <Members value={value} before={isNew ? undefined : before} depth={depth + 1} display={display} />
      )}
    </details>
  );
}
