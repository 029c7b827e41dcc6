import { RETENTION_DAYS, type RetentionSetting } from "../../../domain/kernel/limits.ts";
import { type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { checkbox, field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";

/** What else there is to know of each setting. */
const NOTES: Record<RetentionSetting, string> = {
  eventRetentionDays: "A reader who was away for longer has to start again from the lists.",
  messageRetentionDays: "Messages of unfinished tasks and missions stay.",
  taskRetentionDays: "A task that unfinished work refers to stays.",
  agentCommandRetentionDays: "",
  missionRetentionDays: "A mission that no robot takes for as long expires.",
  evalRunRetentionDays: "With their results. Baselines stay, and runs that others were compared with.",
  auditRetentionDays: "Empty keeps it for ever. Only what agent-ops audit export has written out is deleted.",
};

/** What the page of the workspace shows. */
export type WorkspaceProps = {
  visitor: Visitor;
  workspace: { uuid: string; slug: string; createdAt: string; revokesKeysOfSuspendedCreator: boolean };
  /** The fields as they were typed. */
  typed: { name: string; days: Record<RetentionSetting, string> };
  isOwner: boolean;
  isSudo: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

/** The settings of the workspace itself. */
export function workspaceView(props: WorkspaceProps): Html {
  const { visitor, workspace, isOwner, notice, errors } = props;
  return settingsPage(
    {
      title: "General",
      section: "/settings/workspace",
      visitor,
      hasErrors: errors !== null,
      lead: "What holds for everybody in this workspace.",
    },
    html`${findNotice({ saved: "The settings are saved." }, notice)} ${errorSummary(errors)}
      ${!props.isSudo && unlock("/settings/workspace")}
      <section class="card">${generalForm(props)}</section>
      ${isOwner && keysCard(props)}
      <section class="card">
        <h2 class="card-head">For programs</h2>
        <dl class="facts">
          <dt>Workspace id</dt>
          <dd><code>${workspace.uuid}</code></dd>
          <dt>Short name</dt>
          <dd><code>${workspace.slug}</code></dd>
          <dt>Created</dt>
          <dd>${time(workspace.createdAt)}</dd>
        </dl>
      </section>`,
  );
}

function generalForm({ typed, errors, isSudo }: WorkspaceProps): Html {
  return html`<form class="narrow" method="post">
    <fieldset class="form" ${attributes({ disabled: !isSudo })}>
      ${hiddenFields({ act: "general" })}
      ${field({ id: "name", label: "Name", value: typed.name, errors, input: { required: true, maxlength: 100 } })}
      ${Object.entries(RETENTION_DAYS).map(([setting, { column, of, min, max }]) =>
        field({
          id: setting,
          name: column,
          label: `Keep ${of} for (days)`,
          // The keys of the table are its settings.
          value: typed.days[setting as RetentionSetting],
          hint: `${min} to ${max}. ${NOTES[setting as RetentionSetting]}`,
          errors,
          input: { inputmode: "numeric", required: setting !== "auditRetentionDays" },
        }),
      )}
      <div class="actions"><button class="button button-primary">Save</button></div>
    </fieldset>
  </form>`;
}

function keysCard({ workspace, isSudo }: WorkspaceProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Keys of members who leave</h2>
    ${keysForm(workspace.revokesKeysOfSuspendedCreator, isSudo)}
  </section>`;
}

function keysForm(checked: boolean, isSudo: boolean): Html {
  return html`<form method="post">
    <fieldset class="form" ${attributes({ disabled: !isSudo })}>
      ${hiddenFields({ act: "keys" })}
      ${checkbox({
        id: "revokes-keys",
        name: "revokes_keys",
        label: "Revoke a member's API keys when the member is suspended or deleted",
        hint: "Without this the keys work on and are flagged, so that agents do not stop with a change among people.",
        checked,
      })}
      <div class="actions"><button class="button">Save</button></div>
    </fieldset>
  </form>`;
}
