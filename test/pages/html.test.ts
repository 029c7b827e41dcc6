import { describe, expect, it } from "vitest";
import { attributes, html } from "../../src/pages/html.ts";

describe("html", () => {
  it("escapes every value, between tags and in attributes", () => {
    const evil = `<script>alert("1" + '2' & 3)</script>`;
    const escaped = "&lt;script&gt;alert(&quot;1&quot; + &#39;2&#39; &amp; 3)&lt;/script&gt;";
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it("doesn't escape Html, also in lists", () => {
    const items = ["<a>", "b"].map((item) => html`<i>${item}</i>`);
    expect(html`<b>${items}</b>`.text).toBe("<b><i>&lt;a&gt;</i><i>b</i></b>");
  });

  it("renders nothing for null, undefined and false, and 0 for 0", () => {
    expect(html`[${null}${undefined}${false}${0}]`.text).toBe("[0]");
  });
});

describe("attributes", () => {
  it("omits absent ones, and renders true without a value", () => {
    const named = { id: `"x"`, rows: 3, required: true, checked: false, hint: null, title: undefined };
    expect(attributes(named).text).toBe(` id="&quot;x&quot;" rows="3" required`);
  });
});
