import type { ReactNode } from "react";

/**
 * Stands in for react-style-singleton, which adds style elements that the content security policy forbids. Dialogs use it
 * to keep the page from scrolling, and this page never scrolls.
 */
export function styleSingleton(): () => ReactNode {
  return () => null;
}
