/** Words with hyphens are no secrets: a digit is near. */
const DIGIT = "(?=[0-9A-Za-z_-]{0,60}[0-9])";

/** What the secrets of services begin with. Letters and digits follow. */
const PREFIXES = [
  ...["AEZA", "AKCp", "AGE-SECRET-KEY-", "CLOJARS_", "EAA[A-Z]?", "GR1348941", "NR(?:AK|JS|AA|II)-"],
  ...["dapi(?=[0-9a-f]{16})", "do[opr]_v1_", "dt0[a-z]\\d{2}\\.[0-9A-Z]{24}\\.", "fc-", "gsk_", "hf_"],
  ...["lin_(?:api|oauth)_", "nfp_", "npm_", "ntn_", "pplx-", "pul-", "r8_", "rnd_", "rubygems_", "sbp_"],
  ...["secret_", "shp(?:at|ca|pa|ss)_", "sk_", "tvly-", "xai-"],
  "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?",
];

/** The same for secrets that have hyphens and underscores. */
const JOINED_PREFIXES = [
  ...["(?:sk|rk|pk)[-_](?:live|test|proj|ant|svcacct|admin|or|lf)[-_]", "AT(?:ATT3|CTT3|BB)", "AIza"],
  ...["CFPAT-", "FLWSECK[-_]", "GOCSPX-", "HRKU-", "PMAK-", "dckr_[op]at_", "figd_", "fm[12]r?_", "fo1_"],
  ...["github_pat_", "1//0", "hv[bsr]\\.", "ya29\\.", "glsa_", "pypi-AgE", "rzp_(?:live|test)_"],
  ...["gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas|ffct)-", "pscale_(?:tkn|pw|oauth)_", "sb_secret_"],
  ...["sntry[su]_", "sq0(?:atp|csp|idp)-", "tskey-[a-z]{2,10}-", "xapp-", "xox[abeoprs]-"],
];

/** Other forms, each of which begins at a word's beginning. */
const FORMS = [
  String.raw`(?:${PREFIXES.join("|")})(?=[A-Za-z]{0,60}[0-9])[0-9A-Za-z]{20,}`,
  String.raw`(?:${JOINED_PREFIXES.join("|")})${DIGIT}[0-9A-Za-z_.-]{16,}(?:=[0-9A-F]{8})?`,
  String.raw`(?:glc|ops)_eyJ[0-9A-Za-z+/_-]{20,}={0,2}`,
  String.raw`LTAI(?=[A-Za-z]{0,20}[0-9])[0-9A-Za-z]{12,20}\b`,
  String.raw`(?:gh[oprsu]_|sk-)[0-9A-Za-z]{20,}`,
  String.raw`ag[ktsp]_[0-9A-Za-z.]{20,}`,
  String.raw`whsec_[0-9A-Za-z+/_-]{16,}`,
  String.raw`A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}\b`,
  String.raw`SG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`,
  String.raw`[MNO][0-9A-Za-z_-]{23,25}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}`,
  String.raw`pat[0-9A-Za-z]{14}\.[0-9a-f]{64}`,
  String.raw`re_[0-9A-Za-z]{6,12}_[0-9A-Za-z]{20,}`,
  String.raw`oy2[0-9a-z]{43}\b`,
  String.raw`cio(?=[a-zA-Z]{0,31}[0-9])[0-9A-Za-z]{32}\b`,
  String.raw`[0-9a-f]{32}-us[0-9]{1,2}\b`,
  String.raw`access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}`,
  String.raw`(?:Bearer|bearer|BEARER) (?=[0-9A-Za-z._~+/-]{0,512}[0-9])[0-9A-Za-z._~+/-]{16,}=*`,
  String.raw`hooks\.slack\.com/[a-z]{1,20}/[0-9A-Za-z/]{16,}`,
  String.raw`discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/[0-9]{5,25}/[0-9A-Za-z_-]{16,}`,
  String.raw`webhook\.office\.com/webhookb2/[0-9A-Za-z@/_-]{32,}`,
];

/** Forms that may begin within a word. */
const INNER_FORMS = [
  String.raw`(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*`,
  String.raw`\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*`,
  String.raw`\.atlasv1\.[0-9A-Za-z_-]{40,}`,
  String.raw`[0-9]Q~[0-9A-Za-z_.~-]{31,34}`,
  String.raw`(?<![0-9])[0-9]{8,10}:AA[0-9A-Za-z_-]{32,40}`,
  String.raw`(?<![0-9A-Za-z_-])key-[0-9a-f]{32}\b`,
];

/**
 * Secrets that are known by their form: our own, those of well-known services, JSON web tokens.
 * Takes linear time: no text that begins one can stand inside another, or what is looked ahead for is bounded.
 */
export const KNOWN_SECRETS = new RegExp(
  [String.raw`\b(?:${FORMS.join("|")})`, ...INNER_FORMS].join("|"),
  "g",
);

/** The characters of the shortest text that {@link KNOWN_SECRETS} knows: a token's second part, `.eyJ…`, without a third. */
export const SHORTEST_SECRET = 13;

/** What may be a user's name and password. */
export const BASIC = /\b(?:Basic|BASIC|basic) ([0-9A-Za-z+/_-]{6,1024}={0,2})/g;

/** Whether Base64 says a user's name and a password. @see https://www.rfc-editor.org/rfc/rfc7617 */
export function isUserAndPassword(base64: string): boolean {
  const text = Buffer.from(base64, "base64").toString("latin1");
  return text.includes(":") && /^[\x20-\x7e\xa0-\xff]*$/.test(text);
}
