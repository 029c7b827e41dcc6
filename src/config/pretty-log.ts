import { type DestinationStream, pino } from "pino";

/** An entry as pino writes it. */
type Entry = { level: number; time: number; msg?: string } & Record<string, unknown>;

const INDENT = " ".repeat(4);
/** Text that needs no quotes, and can't be taken for something else by a terminal. */
const PLAIN = /^[\w./:@%+-]+$/;

/**
 * Writes entries as lines for people: the time, the level, the message, then the fields. Requests that were answered are
 * left out unless the answer is an error of the server.
 */
export function createPrettyLog(write: (text: string) => void): DestinationStream {
  return {
    write: (line) => {
      // Pino's own lines.
      const entry = JSON.parse(line) as Entry;
      if (!isOrdinaryRequest(entry)) write(`${format(entry)}\n`);
    },
  };
}

function isOrdinaryRequest({ msg, level, status }: Entry): boolean {
  return msg === "request" && level === pino.levels.values["info"] && Number(status) < 500;
}

function format({ level, time, msg = "", err, ...fields }: Entry): string {
  const at = new Date(time).toISOString().slice(11, 19);
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`);
  const name = (pino.levels.labels[level] ?? String(level)).padEnd(5);
  return [`${at} ${name} ${msg}`, ...shown].join("  ") + formatError(err);
}

function formatValue(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return value;
  return JSON.stringify(value) ?? "";
}

function formatError(error: unknown): string {
  if (error === undefined) return "";
  const { stack, ...rest } = Object(error) as { stack?: unknown };
  const lines = typeof stack === "string" ? stack.split("\n") : [];
  const shown = lines.length === 0 ? [formatValue(error)] : [...lines.map(escapeControls), formatValue(rest)];
  return shown.map((line) => `\n${INDENT}${line}`).join("");
}

function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
