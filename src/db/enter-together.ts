import type { Turn } from "./tenant.ts";

type Group = { begun: Promise<void>; answers: Promise<unknown>[] };

/** So many have one turn: as many as a page has rows. */
const TOGETHER = 100;

/**
 * Lets those who come in one turn of the event loop, or while the first of them waits, enter together: of look-ups
 * by key that begin at once Prisma makes one statement, which turns of their own would tear apart.
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
      // Whoever comes before Prisma would send is here by then.
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
