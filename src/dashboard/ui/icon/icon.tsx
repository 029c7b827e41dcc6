import type { IconName } from "./icon-names.ts";

/** The content of each icon's SVG, put here by the build (vite.config.ts). */
declare const ICONS: Readonly<Record<IconName, string>>;

/** An icon in the color of the text, next to words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      dangerouslySetInnerHTML={{ __html: ICONS[name] }}
    />
  );
}
