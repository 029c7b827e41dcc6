import type { ComponentType, ReactNode } from "react";
import { createStore, useStore } from "../data/store.ts";

/** A component whose code can be loaded before it is rendered. */
export type LazyComponent<Props> = ComponentType<Props> & { load: () => void };

type Loaded<Props> = { Component: ComponentType<Props> } | { error: unknown };

/**
 * A component whose code is loaded when it is first rendered. Unlike React's `lazy`, it is shown as soon as it is there:
 * what replaces a fallback of Suspense waits for 300 ms after it.
 *
 * @param fallback shown meanwhile. Errors of loading are thrown to the next boundary.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyComponent<Props> {
  const loaded = createStore<Loaded<Props> | null>(null);
  let isAsked = false;
  function ensureLoaded(): void {
    if (isAsked) return;
    isAsked = true;
    load().then(
      (Component) => loaded.set({ Component }),
      (error: unknown) => loaded.set({ error }),
    );
  }
  function Lazy(props: Props): ReactNode {
    ensureLoaded();
    const result = useStore(loaded);
    if (result === null) return fallback;
    if ("error" in result) throw result.error;
    return <result.Component {...props} />;
  }
  return Object.assign(Lazy, { load: ensureLoaded });
}
