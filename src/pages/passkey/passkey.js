/**
 * Makes or uses a passkey as the page's form says, puts what the browser answers into the form and sends it.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON
 */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-passkey]"));
const problem = /** @type {HTMLElement} */ (document.querySelector("#passkey-problem"));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  problem.hidden = true;
  ask().then(send, explain);
});

/** Asks the authenticator. Rejects if the person cancels, or the browser has no such passkey. */
async function ask() {
  /** @type {unknown} */
  const options = JSON.parse(form.dataset["options"] ?? "");
  if (form.dataset["passkey"] === "get") {
    const own = /** @type {PublicKeyCredentialRequestOptionsJSON} */ (options);
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(own) });
  }
  const own = /** @type {PublicKeyCredentialCreationOptionsJSON} */ (options);
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(own) });
}

/** @param {Credential | null} credential */
function send(credential) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("response"));
  field.value = JSON.stringify(credential);
  form.submit();
}

function explain() {
  problem.hidden = false;
  problem.focus();
}
