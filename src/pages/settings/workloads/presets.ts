import type { TrustTyped } from "./trust-input.ts";

export type Preset = { id: string; title: string; hint: string; typed: Partial<TrustTyped> };

/** Where workloads run, and what their issuers say of them. */
export const PRESETS: readonly Preset[] = [
  {
    id: "github",
    title: "GitHub Actions",
    hint: "The job needs the permission id-token: write. Replace the repository and the branch.",
    typed: {
      issuer: "https://token.actions.githubusercontent.com",
      claimPatterns: "sub=repo:my-organization/my-repository:ref:refs/heads/main",
    },
  },
  {
    id: "kubernetes",
    title: "Kubernetes",
    hint: "The issuer is what kubectl get --raw /.well-known/openid-configuration names; paste what kubectl get --raw /openid/v1/jwks prints, if the cluster can't be reached from here. A pod's token file lasts, so its token is exchanged more than once.",
    typed: {
      issuer: "https://kubernetes.default.svc.cluster.local",
      claimPatterns: "sub=system:serviceaccount:my-namespace:my-service-account",
      reusable: true,
    },
  },
  {
    id: "spiffe",
    title: "SPIFFE",
    hint: "Paste the JWT keys of the trust domain's bundle, if its issuer can't be reached from here.",
    typed: {
      issuer: "https://spire.example.org",
      claimPatterns: "sub=spiffe://example.org/my-service",
      reusable: true,
    },
  },
  {
    id: "other",
    title: "Other",
    hint: "Any issuer of JSON Web Tokens with a discovery document.",
    typed: {},
  },
];
