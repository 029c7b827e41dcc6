import { createPreference } from "./preference.ts";

/** How close rows and controls are (density.css). */
export const density = createPreference("density", ["compact", "comfortable"], (value) => {
  document.documentElement.dataset.density = value;
});
