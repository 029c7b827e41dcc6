/** Whom a subscription is held against. */
export type WidthHolder = { credentialId: string; workspaceId: string; kind: "user" | "agent" };

/** How wide a subscription's frames are. Those of one key are rendered once, so they count once. */
export type FrameCost = { key: string; width: number };

/** How wide subscriptions may be in all: those of a credential, of a workspace's agents or people, and of a node. */
export type WidthLimits = { credential: number; workspace: number; node: number };

/** Counts what the subscriptions that run cost. */
export type WidthBudget = {
  /** Counts one more. @returns what takes it off again, or why it is too much. */
  take: (holder: WidthHolder, cost: FrameCost) => (() => void) | { refusal: string };
};

/** Makes a budget of which nothing is used. Agents and people are apart: neither use up what the others need. */
export function createWidthBudget(limits: WidthLimits): WidthBudget {
  const levels = [
    createLevel("a credential", limits.credential, ({ credentialId }) => credentialId),
    createLevel("a workspace", limits.workspace, ({ workspaceId, kind }) => `${kind} ${workspaceId}`),
    createLevel("this node", limits.node, () => ""),
  ];
  return {
    take: (holder, { key, width }) => {
      // What is rendered for one workspace is not rendered for another.
      const cost = { key: `${holder.workspaceId} ${key}`, width };
      for (const level of levels) {
        const refusal = level.findReason(holder, cost);
        if (refusal !== null) return { refusal };
      }
      for (const level of levels) level.add(holder, cost);
      return () => levels.forEach((level) => level.remove(holder, cost));
    },
  };
}

type Sum = { width: number; counts: Map<string, number> };

function createLevel(whose: string, limit: number, getId: (holder: WidthHolder) => string) {
  const sums = new Map<string, Sum>();

  function getSum(holder: WidthHolder): Sum {
    return sums.get(getId(holder)) ?? { width: 0, counts: new Map() };
  }

  return {
    findReason: (holder: WidthHolder, { key, width }: FrameCost): string | null => {
      const sum = getSum(holder);
      if (sum.counts.has(key) || sum.width + width <= limit) return null;
      return `The subscriptions of ${whose} are ${limit} wide in all at most: with this one they would be ${sum.width + width}.`;
    },
    add: (holder: WidthHolder, { key, width }: FrameCost): void => {
      const sum = getSum(holder);
      const count = sum.counts.get(key) ?? 0;
      if (count === 0) sum.width += width;
      sum.counts.set(key, count + 1);
      sums.set(getId(holder), sum);
    },
    remove: (holder: WidthHolder, { key, width }: FrameCost): void => {
      const sum = getSum(holder);
      const count = sum.counts.get(key) ?? 0;
      if (count > 1) return void sum.counts.set(key, count - 1);
      sum.counts.delete(key);
      sum.width -= width;
      if (sum.counts.size === 0) sums.delete(getId(holder));
    },
  };
}
