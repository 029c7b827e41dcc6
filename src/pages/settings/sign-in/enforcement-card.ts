import { type Content, type Html, html } from "../../html.ts";
import { confirm } from "../../parts/confirm.ts";
import { selectField } from "../../parts/field.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge } from "../../parts/notice.ts";

/** An owner who can log in with a password. */
export type ShownOwner = { uuid: string; name: string };

export type EnforcementProps = {
  enforced: boolean;
  servesOwners: boolean;
  /** The uuid of the owner chosen; "" for none. */
  breakGlassOwner: string;
  owners: readonly ShownOwner[];
  isSudo: boolean;
  errors: FormErrors | null;
};

/** Whether members may log in with passwords, beside the provider. */
export function enforcementCard(props: EnforcementProps): Html {
  const { enforced } = props;
  return html`<section class="card stack-s">
    <h2 class="card-head">Passwords</h2>
    ${
      enforced
        ? html`<p>
            ${badge("good", "Enforced")} Members log in at your provider alone. Passwords can be neither used
            nor set.
          </p>`
        : html`<p>
            Members can log in with a password too. Enforce the provider when everybody can sign in there.
          </p>`
    }
    ${actions(props)}
  </section>`;
}

function actions(props: EnforcementProps): Content {
  const { enforced, servesOwners, owners, isSudo } = props;
  if (!servesOwners) return html`<p class="soft">First an owner has to save the provider.</p>`;
  if (owners.length === 0 && !enforced) {
    return html`<p class="soft">First an owner needs a password and a confirmed address.</p>`;
  }
  if (!isSudo) return enforced && html`<p>Break-glass owner: ${findName(props)}</p>`;
  return enforced ? html`${changeOwner(props)} ${allowPasswords()}` : enforceNow(props);
}

function findName({ owners, breakGlassOwner }: EnforcementProps): string {
  return owners.find(({ uuid }) => uuid === breakGlassOwner)?.name ?? "none who can log in";
}

function enforceNow(props: EnforcementProps): Html {
  return confirm({
    title: "Enforce the provider",
    means:
      "Nobody but the break-glass owner can log in with a password any more, or reset one. All sessions that began with a password end, except yours and that owner's.",
    button: "Enforce now",
    fields: html`${hiddenFields({ act: "enforce" })} ${ownerField(props)}`,
    isSmall: true,
  });
}

function changeOwner(props: EnforcementProps): Html {
  return html`<form class="form narrow" method="post">
    ${hiddenFields({ act: "enforce" })} ${ownerField(props)}
    <div class="actions"><button class="button button-small">Save break-glass owner</button></div>
  </form>`;
}

function ownerField({ owners, breakGlassOwner, errors }: EnforcementProps): Html {
  return selectField({
    id: "breakGlassOwnerId",
    name: "break_glass_owner",
    label: "Break-glass owner",
    hint: "This owner's password goes on working, for when your provider is down. Each use is in the audit log and mailed to all owners. If this owner can't log in, every owner's password works.",
    value: breakGlassOwner,
    options: owners.map(({ uuid, name }) => ({ value: uuid, title: name })),
    errors,
  });
}

function allowPasswords(): Html {
  return confirm({
    title: "Allow passwords",
    means: "Members can log in with the passwords that they had, and reset them.",
    button: "Allow now",
    fields: hiddenFields({ act: "allow" }),
    isSmall: true,
  });
}
