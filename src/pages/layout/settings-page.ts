import { type Content, type Html, html } from "../html.ts";
import { logo } from "../parts/logo.ts";
import { getFrameTags } from "../http/frame-tags.ts";
import { type PageHead, renderDocument } from "./document.ts";
import { type Section, listSections } from "./sections.ts";

/** The logged-in user, as shown in the header. */
export type Visitor = {
  name: string;
  workspaceName: string;
  isAdmin: boolean;
  /** What the page tells the dashboard's scripts of them. */
  attributes: Html;
};

export type SettingsHead = PageHead & {
  visitor: Visitor;
  /** The path of the section that the page belongs to. */
  section: string;
  lead?: Content;
  /** The parent page, for a page below its section. */
  above?: { href: string; title: string };
  /** Shown next to the title, such as a button to create something. */
  action?: Content;
};

/** The layout of the settings pages. With JavaScript, the dashboard's header takes the place of theirs. */
export function settingsPage(head: SettingsHead, content: Content): Html {
  const sections = listSections(head.visitor.isAdmin);
  const current = sections.find(({ href }) => href === head.section);
  return renderDocument(
    { ...head, tags: getFrameTags() },
    html`<body>
      <a class="skip" href="#main">Skip to content</a>
      <div id="frame" ${head.visitor.attributes}></div>
      ${bar(head.visitor)}
      <div class="frame">
        <details class="menu">
          <summary>
            <span><span class="visually-hidden">Settings menu: </span>${current?.title ?? "Settings"}</span>
          </summary>
          ${navigation(sections, head.section)}
        </details>
        ${navigation(sections, head.section)}
        <main class="frame-main" id="main">
          <div id="frame-notes"></div>
          ${pageHead(head)} ${content}
        </main>
      </div>
    </body>`,
  );
}

function bar({ name, workspaceName }: Visitor): Html {
  return html`<header class="bar">
    <div class="bar-inner">
      ${logo()}
      <span class="bar-workspace"><span class="visually-hidden">Workspace: </span>${workspaceName}</span>
      <div class="bar-person">
        <span class="bar-person-name">${name}</span>
        <form method="post" action="/users/log-out">
          <button class="button button-small">Log out</button>
        </form>
      </div>
    </div>
  </header>`;
}

function navigation(sections: Section[], section: string): Html {
  const groups = [...new Set(sections.map(({ group }) => group))];
  return html`<nav class="sections" aria-label="Settings">
    <a class="sections-back" href="/">Dashboard</a>
    ${groups.map(
      (group) =>
        html`<div>
          <p class="sections-title">${group}</p>
          <ul class="sections-list">
            ${sections
              .filter((entry) => entry.group === group)
              .map(
                ({ href, title }) =>
                  html`<li>
                    ${href === section ? html`<a href="${href}" aria-current="page">${title}</a>` : html`<a href="${href}">${title}</a>`}
                  </li>`,
              )}
          </ul>
        </div>`,
    )}
  </nav>`;
}

function pageHead({ title, lead, above, action }: SettingsHead): Html {
  return html`<div class="page-head">
    <div class="page-head-text">
      ${above !== undefined && html`<p class="crumb"><a href="${above.href}">${above.title}</a></p>`}
      <h1>${title}</h1>
      ${lead !== undefined && html`<p class="soft">${lead}</p>`}
    </div>
    ${action}
  </div>`;
}
