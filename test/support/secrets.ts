/** Characters as secrets have them. */
export function fillSecret(length: number): string {
  return "aB3".repeat(length).slice(0, length);
}

/** Secrets by their kinds. Each has 16 characters or more of `fillSecret`, or "ABCD2345". */
export const SECRETS: Record<string, string> = {
  "an API key of ours": `agk_${fillSecret(16)}.${fillSecret(49)}`,
  "an agent token": `agt_${fillSecret(49)}`,
  "a socket token": `ags_${fillSecret(49)}`,
  "a SCIM token": `agp_${fillSecret(49)}`,
  "a Stripe key": `sk_live_${fillSecret(24)}`,
  "a restricted Stripe key": `rk_test_${fillSecret(24)}`,
  "an OpenAI key": `sk-proj-${fillSecret(40)}`,
  "an older OpenAI key": `sk-${fillSecret(48)}`,
  "an Anthropic key": `sk-ant-api03-${fillSecret(80)}`,
  "a GitHub token": `ghp_${fillSecret(36)}`,
  "a GitHub app token": `ghs_${fillSecret(36)}`,
  "a fine-grained GitHub token": `github_pat_${fillSecret(22)}_${fillSecret(59)}`,
  "a GitLab token": `glpat-${fillSecret(20)}`,
  "an npm token": `npm_${fillSecret(36)}`,
  "a Slack token": `xoxb-1234567890-${fillSecret(24)}`,
  "an AWS key id": `AKIA${"ABCD2345".repeat(2)}`,
  "a Google key": `AIza${fillSecret(35)}`,
  "a Google token": `ya29.${fillSecret(40)}`,
  "a SendGrid key": `SG.${fillSecret(22)}.${fillSecret(43)}`,
  "a JSON web token": `eyJ${fillSecret(20)}.eyJ${fillSecret(30)}.${fillSecret(43)}`,
  "a bearer": `Bearer ${fillSecret(30)}==`,
  "a private key": `-----BEGIN RSA PRIVATE KEY-----\n${fillSecret(64)}\n-----END RSA PRIVATE KEY-----`,
};
