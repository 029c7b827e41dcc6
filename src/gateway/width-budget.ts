/** The credential and workspace that a subscription is charged to. */
export type WidthHolder = { credentialId: string; workspaceId: string; kind: "user" | "agent" };

/**
 * The cost of a subscription's frames. Frames with the same key are rendered once, so they are charged
 * once.
 */
export type FrameCost = { key: string; width: number };

/** The most total width for a credential, for a workspace's agents or people, and for a node. */
export type WidthLimits = { credential: number; workspace: number; node: number };

/** Counts the width of running subscriptions. */
export type WidthBudget = {
  /** Adds one. @returns a function that removes it again, or the reason why it is too much. */
  take: (holder: WidthHolder, cost: FrameCost) => (() => void) | { reason: string };
};

/** Agents and people are counted separately, so that neither uses up the other's budget. */
export function createWidthBudget(limits: WidthLimits): WidthBudget {
  const levels = [
    createLevel("a credential", limits.credential, ({ credentialId }) => credentialId),
    createLevel("a workspace", limits.workspace, ({ workspaceId, kind }) => `${kind} ${workspaceId}`),
    createLevel("this node", limits.node, () => ""),
  ];
  return {
    take: (holder, { key, width }) => {
      // Frames are not shared between workspaces.
      const cost = { key: `${holder.workspaceId} ${key}`, width };
      for (const level of levels) {
        const reason = level.findReason(holder, cost);
        if (reason !== null) return { reason };
      }
      for (const level of levels) level.add(holder, cost);
      return () => levels.forEach((level) => level.remove(holder, cost));
    },
  };
}

type Sum = { width: number; counts: Map<string, number> };

function createLevel(owner: string, limit: number, getId: (holder: WidthHolder) => string) {
  const sums = new Map<string, Sum>();

  function getSum(holder: WidthHolder): Sum {
    return sums.get(getId(holder)) ?? { width: 0, counts: new Map() };
  }

  return {
    findReason: (holder: WidthHolder, { key, width }: FrameCost): string | null => {
      const sum = getSum(holder);
      if (sum.counts.has(key) || sum.width + width <= limit) return null;
      return `The subscriptions of ${owner} may have a total width of ${limit}. With this one it would be ${sum.width + width}.`;
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
