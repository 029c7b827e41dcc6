import { useState } from "react";
import { ConditionRow } from "./condition-row.tsx";
import { describeRow } from "./describe-row.ts";
import { type ConditionPart, readRows } from "./read-rows.ts";
import { joinConditions } from "./to-conjunct.ts";

export type ConditionRowsProps = {
  when: string;
  onChange: (when: string) => void;
  /** The policy's effect. */
  effect: string;
};

/** What a condition requires, comparison by comparison; and a form to add one. */
export function ConditionRows({ when, onChange, effect }: ConditionRowsProps) {
  const parts = readRows(when);
  const texts = parts.map(({ text }) => text);
  return (
    <div className="stack-s">
      {parts.length > 0 && (
        <ul className="policies-parts" aria-label="All of these must hold">
          {parts.map((part, place) => (
            <Part
              key={`${part.text} ${texts.indexOf(part.text) === place ? "" : place}`}
              part={part}
              effect={effect}
              onChange={(text) => onChange(joinConditions(texts.with(place, text)))}
            />
          ))}
        </ul>
      )}
      <details className="fold">
        <summary>Add a comparison</summary>
        <ConditionRow
          effect={effect}
          sendLabel="Add to the condition"
          onWrite={(text) => onChange(joinConditions([...texts, text]))}
        />
      </details>
    </div>
  );
}

type PartProps = {
  part: ConditionPart;
  effect: string;
  /** Takes the new text; "" removes it. */
  onChange: (text: string) => void;
};

function Part({ part: { text, row }, effect, onChange }: PartProps) {
  const [isEdited, setIsEdited] = useState(false);
  const shown = row === null ? text : describeRow(row);
  if (isEdited && row !== null) {
    return (
      <li className="card">
        <ConditionRow
          initial={row}
          effect={effect}
          sendLabel="Change the condition"
          onWrite={(written) => {
            setIsEdited(false);
            onChange(written);
          }}
          onBack={() => setIsEdited(false)}
        />
      </li>
    );
  }
  return (
    <li className="policies-part">
      {row === null ? <code className="policies-when">{text}</code> : <span>{shown}</span>}
      <span className="actions">
        {row !== null && (
          <button
            type="button"
            className="button button-small"
            aria-label={`Edit: ${shown}`}
            onClick={() => setIsEdited(true)}
          >
            Edit
          </button>
        )}
        <button
          type="button"
          className="button button-small"
          aria-label={`Remove: ${shown}`}
          onClick={() => onChange("")}
        >
          Remove
        </button>
      </span>
    </li>
  );
}
