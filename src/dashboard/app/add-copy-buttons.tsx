import { createRoot } from "react-dom/client";
import { CopyButton } from "../ui/copy-button.tsx";

/** Gives each secret and URL that the server rendered for copying a button that copies it. */
export function addCopyButtons(): void {
  for (const secret of document.querySelectorAll<HTMLElement>("main code.secret")) addCopyButton(secret);
}

function addCopyButton(secret: HTMLElement): void {
  const row = document.createElement("div");
  const place = document.createElement("span");
  row.className = "secret-row";
  const name = secret.closest("div, section, td")?.querySelector(".label, h2, .primary")?.textContent ?? "";
  secret.replaceWith(row);
  row.append(secret, place);
  createRoot(place).render(
    <CopyButton
      text={secret.textContent.trim()}
      what={name.trim()}
      onRefused={() => getSelection()?.selectAllChildren(secret)}
    />,
  );
}
