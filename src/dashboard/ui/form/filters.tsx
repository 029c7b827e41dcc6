import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { Icon } from "../icon/icon.tsx";
import { TokenRow, withoutFilters } from "./filter-token.tsx";

/**
 * A row of filters above a list, and below it those that apply, as tokens that remove them. Changes apply immediately.
 * Fields have the names of the filters in the URL. On a phone, many are folded away behind a button, except the search.
 */
export function Filters({ children }: { children: ReactNode }) {
  const [tokens, setTokens] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search className="filters">
      <form
        className={isOpen ? "filter" : "filter filter-folded"}
        onSubmit={(event) => event.preventDefault()}
      >
        <TokenRow value={tokens}>{children}</TokenRow>
        <button
          type="button"
          className="button button-small filter-unfold"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="list-filter" />
          Filters
        </button>
      </form>
      <div className="token-bar">
        <div className="tokens" role="group" aria-label="Filters that apply" ref={setTokens} />
        {tokens !== null && <ClearButton tokens={tokens} />}
      </div>
    </search>
  );
}

/** Removes all filters that apply. Shown if there are several. */
function ClearButton({ tokens }: { tokens: HTMLElement }) {
  const [params, setParams] = useSearchParams();

  function clear(): void {
    const names = Array.from(tokens.querySelectorAll("button"), ({ name }) => name);
    setParams(withoutFilters(params, names), { replace: true });
  }

  return (
    <button type="button" className="button button-link tokens-clear" onClick={clear}>
      Clear filters
    </button>
  );
}
