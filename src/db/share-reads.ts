import { setImmediate } from "node:timers/promises";
import type { Read } from "./statement.ts";

/**
 * Lets those of a lane who ask the same in one turn of the event loop share one statement. It runs when the turn
 * has ended, so everybody sees whatever was committed before he asked. What they get is one array: only to
 * be read.
 */
export function shareReads(readIn: (lane: string) => Read): (lane: string) => Read {
  const asked = new Map<string, Promise<unknown[]>>();
  return (lane) =>
    async <Row extends object>(...question: Parameters<Read>) => {
      const [{ name }, values] = question;
      const key = JSON.stringify([lane, name, values]);
      const answer = asked.get(key) ?? ask(key, () => readIn(lane)(...question));
      // One name is one statement, which always gives the same columns.
      return (await answer) as Row[];
    };

  function ask(key: string, read: () => Promise<unknown[]>): Promise<unknown[]> {
    const answer = setImmediate().then(() => {
      asked.delete(key);
      return read();
    });
    asked.set(key, answer);
    return answer;
  }
}
