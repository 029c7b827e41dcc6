import { HIDDEN } from "./hidden.ts";

/** What ends a word of a command. Whoever reads one sees what it does beside the secret. */
const STOP = String.raw`\s"'${"`"};|&$()<>,\\`;

/** Passwords in addresses: between a user and the host. */
const USER = String.raw`(:\/\/[^\s/:@"',?#]{0,64}:)`;
const COMMAND_PASSWORD = new RegExp(`${USER}[^/?#${STOP}]{1,256}(?=[^\\s/?#"',]{0,256}@)`, "g");
const RECORD_PASSWORD = new RegExp(`${USER}[^\\s/?#"',]{1,256}(?=@)`, "g");

/** The same as some drivers of databases write it: `user:password@tcp(host)`, `thin:user/password@host`. */
const NETWORK_PASSWORD = /((?<![\w.-])[\w.-]{1,64}:)[^\s/:"'`;|&()<>]{1,128}(?=@(?:tcp|unix)\()/g;
const ORACLE_PASSWORD = /(oracle:thin:[\w.-]{1,64}\/)[^\s/"'`;|&()<>@]{1,128}(?=@)/g;

/** What stands before the password of `curl -u user:password`, and before those that other programs take. */
const OPTIONS = [
  String.raw`\b(?:curl|wget)\b[^|;&\r\n]{0,300}\s(?:-[A-Za-z]{0,5}u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,64}:`,
  String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&\r\n]{0,200}\s-p["']?(?![0-9]{1,5}(?:[:\s]|$))`,
  String.raw`\bredis-cli\b[^|;&\r\n]{0,200}\s-a\s?["']?`,
  String.raw`\bsshpass -p ?["']?`,
];
const OPTION_PASSWORD = new RegExp(`(?<=${OPTIONS.join("|")})[^${STOP}]{1,256}`, "g");
const PROGRAM = /\b(?:curl|wget|sshpass|mysql\w{0,5}|mariadb|redis-cli)\b/;

/**
 * Replaces passwords that stand after a user in addresses and options.
 *
 * @param isRecord whether the text only tells what happened: then passwords have any characters.
 */
export function hidePasswords(text: string, isRecord: boolean): string {
  if (!text.includes(":") && !text.includes(" ")) return text;
  let shown = text;
  if (shown.includes("@")) shown = hideBeforeHost(shown, isRecord);
  return PROGRAM.test(shown) ? shown.replaceAll(OPTION_PASSWORD, HIDDEN) : shown;
}

function hideBeforeHost(text: string, isRecord: boolean): string {
  const shown = text
    .replaceAll(isRecord ? RECORD_PASSWORD : COMMAND_PASSWORD, `$1${HIDDEN}`)
    .replaceAll(ORACLE_PASSWORD, `$1${HIDDEN}`);
  return /@(?:tcp|unix)\(/.test(shown) ? shown.replaceAll(NETWORK_PASSWORD, `$1${HIDDEN}`) : shown;
}
