import { Json } from "../../../ui/json.tsx";
import "./thread.css";

/** Content parts of a message, task or artifact. `label` is for screen readers. */
export function Parts({ parts, label }: { parts: readonly unknown[]; label: string }) {
  return (
    <div className="stack-s">
      {parts.map((part, index) => (
        // Parts have no ids and never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <Part key={index} part={part} label={parts.length === 1 ? label : `${label}, part ${index + 1}`} />
      ))}
    </div>
  );
}

function Part({ part, label }: { part: unknown; label: string }) {
  if (typeof part !== "object" || part === null) return null;
  if ("text" in part && typeof part.text === "string") return <p className="thread-text">{part.text}</p>;
  if ("data" in part) return <Json value={part.data} label={label} />;
  const name = "filename" in part && typeof part.filename === "string" ? part.filename : null;
  if ("url" in part && typeof part.url === "string") {
    return (
      <a className="thread-link" href={part.url} target="_blank" rel="noreferrer noopener">
        {name ?? part.url}
      </a>
    );
  }
  return <p className="soft">{name ?? "File"} (not shown)</p>;
}
