import type { Turn } from "./tenant.ts";

type Group = { begun: Promise<void>; answers: Promise<unknown>[] };

/** The size of a group: as many as a page has rows. */
const TOGETHER = 100;

/**
 * Lets work that starts in one turn of the event loop, or while the first of it waits, share one turn.
 * Prisma combines look-ups by key that start together into one statement; separate turns would prevent
 * that.
 *
 * @param enter waits for a turn and runs the work in it.
 */
export function enterTogether(enter: Turn): Turn {
  let open: Group | null = null;

  function openGroup(): Group {
    const answers: Promise<unknown>[] = [];
    const begun = new Promise<void>((resolve, reject) => {
      async function begin(): Promise<void> {
        close();
        resolve();
        await Promise.allSettled(answers);
      }
      // Look-ups that Prisma can combine have arrived by then.
      process.nextTick(() => {
        enter(begin).finally(close).catch(reject);
      });
    });
    const group = { begun, answers };
    function close(): void {
      if (open === group) open = null;
    }
    return group;
  }

  return async (work) => {
    if (open === null || open.answers.length >= TOGETHER) open = openGroup();
    const answer = open.begun.then(work);
    open.answers.push(answer);
    return answer;
  };
}
