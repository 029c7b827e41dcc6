/** An address of which its owner recognises his own and nobody else learns another's: `a***@e***.com`. */
export function maskEmail(email: string): string {
  const [local = "", host = ""] = email.split("@");
  const dot = host.lastIndexOf(".");
  const ending = dot > 0 ? host.slice(dot) : "";
  return `${getFirstCharacter(local)}***@${getFirstCharacter(host)}***${ending}`;
}

function getFirstCharacter(text: string): string {
  return Array.from(text)[0] ?? "";
}
