import { readCookies } from "../../../src/http/cookies.ts";

/** A page as received by a browser without scripts. */
export type VisitedPage = { status: number; headers: Headers; text: string; location: string | null };

/** Submitted fields by name. Several values are a list. */
export type Fields = Record<string, string | readonly string[]>;

/** A simple browser: keeps cookies, but doesn't follow redirects. */
export type TestVisitor = {
  cookies: Map<string, string>;
  get: (path: string, headers?: Record<string, string>) => Promise<VisitedPage>;
  submit: (path: string, fields: Fields, headers?: Record<string, string>) => Promise<VisitedPage>;
  send: (path: string, init: RequestInit) => Promise<VisitedPage>;
};

export function openVisitor(url: string): TestVisitor {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<VisitedPage> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0 && !headers.has("cookie")) headers.set("cookie", cookieHeader(cookies));
    const answer = await fetch(url + path, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    const { status, headers: answered } = answer;
    return { status, headers: answered, text: await answer.text(), location: answered.get("location") };
  };
  return {
    cookies,
    send,
    get: (path, headers = {}) => send(path, { headers }),
    submit: (path, fields, headers = {}) => {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(fields)) {
        for (const one of [value].flat()) body.append(name, one);
      }
      return send(path, { method: "POST", body, headers });
    },
  };
}

function cookieHeader(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ""] = line.split(";");
  const name = pair.slice(0, pair.indexOf("="));
  const [value = ""] = readCookies(pair, name);
  if (/max-age=0\b/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

/** The text of an element without tags, or "" if there is no such element. */
export function getElementText({ text }: Pick<VisitedPage, "text">, tag: string): string {
  const inner = new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "s").exec(text)?.[1] ?? "";
  return inner
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
