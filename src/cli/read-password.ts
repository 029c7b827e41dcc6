import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Reads the password of an option: its value, or the first line of standard input for `-`. */
export async function readPassword(option: string, stdin: Readable, signal: AbortSignal): Promise<string> {
  if (option !== "-") return option;
  const lines = createInterface({ input: stdin, signal });
  try {
    for await (const line of lines) return line;
    signal.throwIfAborted();
    return "";
  } finally {
    lines.close();
  }
}
