/** Masks an address so that only its owner recognizes it: `a***@e***.com`. */
export function maskEmail(email: string): string {
  const [local = "", host = ""] = email.split("@");
  const dot = host.lastIndexOf(".");
  const ending = dot > 0 ? host.slice(dot) : "";
  return `${getFirstCharacter(local)}***@${getFirstCharacter(host)}***${ending}`;
}

function getFirstCharacter(text: string): string {
  return Array.from(text)[0] ?? "";
}
