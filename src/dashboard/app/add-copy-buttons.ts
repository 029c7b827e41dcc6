/** How long a button says what it did. */
const SHOWN_MS = 3000;

/** Gives each secret and URL that the server rendered for copying a button that copies it. */
export function addCopyButtons(): void {
  for (const secret of document.querySelectorAll<HTMLElement>("main code.secret")) addCopyButton(secret);
}

function addCopyButton(secret: HTMLElement): void {
  const row = document.createElement("div");
  const button = document.createElement("button");
  const status = document.createElement("span");
  row.className = "secret-row";
  button.type = "button";
  button.className = "button button-small";
  status.className = "visually-hidden";
  status.role = "status";
  const name = secret.closest("div, section, td")?.querySelector(".label, h2, .primary")?.textContent ?? "";
  tell(button, "Copy", name);
  secret.replaceWith(row);
  row.append(secret, button, status);
  async function act(): Promise<void> {
    const outcome = await copy(secret);
    tell(button, outcome, name);
    status.textContent = outcome;
    setTimeout(() => tell(button, "Copy", name), SHOWN_MS);
  }
  button.addEventListener("click", () => void act());
}

/** Shows what the button does or did, and says of what to screen readers. */
function tell(button: HTMLButtonElement, text: string, name: string): void {
  button.textContent = text;
  button.ariaLabel = `${text} ${name.trim()}`.trim();
}

async function copy(secret: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(secret.textContent.trim());
    return "Copied";
  } catch {
    // Browsers allow it on pages over https and on this machine alone.
    getSelection()?.selectAllChildren(secret);
    return "Select and copy it";
  }
}
