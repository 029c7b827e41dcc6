import { createContext, useContext } from "react";
import { createPortal } from "react-dom";
import { useSearchParams } from "wouter";
import { Icon } from "../icon/icon.tsx";

/** The element that shows the tokens of the fields in a row of filters. Null outside of one. */
export const TokenRow = createContext<HTMLElement | null>(null);

/** A filter that applies: its name in the URL, its label, and what it is set to, "" if nothing. */
export type FilterTokenProps = { name: string; label: string; text: string };

/** Shows a filter that applies below the row of filters. A click removes it. Fields in `Filters` show their own. */
export function FilterToken(props: FilterTokenProps) {
  const row = useContext(TokenRow);
  return row === null || props.text === "" ? null : createPortal(<Token {...props} />, row);
}

function Token({ name, label, text }: FilterTokenProps) {
  const [params, setParams] = useSearchParams();
  if (!params.has(name)) return null;
  return (
    <button
      type="button"
      name={name}
      className="token"
      onClick={() => setParams(withoutFilters(params, [name]), { replace: true })}
    >
      <span className="visually-hidden">Remove filter </span>
      {label}: <b>{text}</b>
      <Icon name="x" />
    </button>
  );
}

/** The URL's query without some filters, at the first page. */
export function withoutFilters(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(params);
  for (const name of [...names, "after", "before"]) rest.delete(name);
  return rest;
}
