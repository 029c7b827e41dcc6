import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { VARIABLES } from "../../src/config/env.ts";
import { SESSION_SETTINGS } from "../../src/db/open-pool.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KUBERNETES = "deploy/kubernetes";
/** Of compose.yaml alone. */
const COMPOSE_VARIABLES = ["POSTGRES_PASSWORD", "SITE"];

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

// oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it looks into
type Document = any;

/** Parses a file's documents. Expects no error and no warning, and merges `<<`. */
function parse(file: string): Document[] {
  return parseAllDocuments(read(file), { merge: true, strict: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS();
  });
}

const manifests = readdirSync(path.join(ROOT, KUBERNETES)).flatMap((name) => parse(`${KUBERNETES}/${name}`));

function find(kind: string): Document {
  return manifests.find((manifest) => manifest.kind === kind);
}

describe(".env.example", () => {
  it("has each variable of the server once", () => {
    const names = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(names.toSorted()).toEqual([...VARIABLES, ...COMPOSE_VARIABLES].toSorted());
  });

  it("has no secret", () => {
    const values = [...read(".env.example").matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name]) => name);
    expect(values).toEqual(["SITE", "PUBLIC_BASE_URL"]);
  });
});

describe("README's settings", () => {
  it("have each variable of the server", () => {
    const table = read("README.md").split("### Settings")[1]?.split("\n\n")[1] ?? "";
    const names = [...table.matchAll(/^\| ([^|]+)\|/gm)].flatMap(
      ([, cell]) => cell?.match(/[A-Z_]{4,}/g) ?? [],
    );
    expect([...names, "NODE_ENV"].toSorted()).toEqual(VARIABLES.toSorted());
  });
});

describe("PgBouncer's configuration", () => {
  it("gives its connections the settings of the server's own", () => {
    const [, query = ""] = /connect_query='([^']+)'/.exec(read("deploy/pgbouncer/pgbouncer.ini")) ?? [];
    const settings = query.split("; ").map((statement) => /^SET (\w+) = (\w+)$/.exec(statement)?.slice(1));
    expect(settings).toEqual(Object.entries(SESSION_SETTINGS));
  });
});

describe("Kubernetes manifests", () => {
  it("have a kind, a version and a name of DNS", () => {
    expect(manifests.map(({ kind }) => String(kind)).toSorted()).toEqual([
      ...["ConfigMap", "Deployment", "Ingress", "Kustomization", "PodDisruptionBudget", "Secret", "Service"],
    ]);
    for (const { kind, apiVersion, metadata } of manifests) {
      expect(apiVersion).toMatch(/^([a-z.0-9]+\/)?v1(beta1)?$/);
      if (kind !== "Kustomization") expect(metadata.name).toMatch(/^[a-z][a-z0-9-]*$/);
    }
  });

  it("select the pods, ports, settings and services that there are", () => {
    const { template, selector } = find("Deployment").spec;
    const [container] = template.spec.containers;
    const { labels } = template.metadata;
    for (const selected of [selector.matchLabels, find("Service").spec.selector])
      expect(labels).toMatchObject(selected);
    expect(labels).toMatchObject(find("PodDisruptionBudget").spec.selector.matchLabels);
    const ports = container.ports.map(({ name }: { name: string }) => name);
    const probes = ["startupProbe", "readinessProbe", "livenessProbe"].map(
      (probe) => container[probe].httpGet.port,
    );
    expect(ports).toEqual(expect.arrayContaining([...probes, find("Service").spec.ports[0].targetPort]));
    expect(container.envFrom).toEqual([
      { configMapRef: { name: find("ConfigMap").metadata.name } },
      { secretRef: { name: find("Secret").metadata.name } },
    ]);
    const [{ backend }] = find("Ingress").spec.rules[0].http.paths;
    expect(backend.service.name).toBe(find("Service").metadata.name);
    expect(backend.service.port.name).toBe(find("Service").spec.ports[0].name);
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(template.spec.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
  });

  it("set only variables that the server knows", () => {
    const names = Object.keys({ ...find("ConfigMap").data, ...find("Secret").stringData });
    expect(VARIABLES).toEqual(expect.arrayContaining(names));
    const values = Object.values({ ...find("ConfigMap").data, ...find("Secret").stringData });
    expect(values.filter((value) => typeof value !== "string")).toEqual([]);
  });

  it("run as nobody, with nothing to write but volumes", () => {
    const { spec } = find("Deployment").spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  it("are listed for kustomize, except the example", () => {
    const resources: string[] = find("Kustomization").resources;
    const files = readdirSync(path.join(ROOT, KUBERNETES)).filter((name) => name !== "kustomization.yaml");
    expect(resources.toSorted()).toEqual(files.map((name) => name.replace(".example", "")).toSorted());
  });
});

describe("compose.yaml", () => {
  const [compose] = parse("compose.yaml");

  it("runs two servers that nothing but the proxy reaches", () => {
    const servers = ["server-1", "server-2"].map((name) => compose.services[name]);
    for (const server of servers) {
      expect(server).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        networks: ["inner"],
        image: "agent-ops",
      });
      expect(server.ports).toBeUndefined();
      expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(server.environment)));
    }
    expect(compose.services.proxy.environment.UPSTREAMS).toBe("server-1:4000 server-2:4000");
    const { subnet } = compose.networks.inner.ipam.config[0];
    expect(servers.map((server) => server.environment.TRUSTED_PROXIES)).toEqual([subnet, subnet]);
  });

  it("names the services, networks and volumes that there are", () => {
    for (const service of Object.values<Document>(compose.services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(name);
      for (const name of service.networks) expect(compose.networks).toHaveProperty(name);
      for (const volume of service.volumes ?? []) {
        const [from] = volume.split(":");
        if (from.startsWith("./")) expect(existsSync(path.join(ROOT, from))).toBe(true);
        else expect(compose.volumes).toHaveProperty(from);
      }
    }
  });
});

describe("Dockerfile", () => {
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
    (from ?? "").split(" "),
  );

  it("copies what there is and .dockerignore lets through", () => {
    const through = new Set([...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, name]) => name ?? ""));
    expect(copied).toContain("package-lock.json");
    for (const name of copied.filter((from) => from !== ".")) {
      expect(existsSync(path.join(ROOT, name))).toBe(true);
      expect(through).toContain(name.split("/").length > 1 ? name.split("/")[0] : name);
    }
    for (const name of through) expect(existsSync(path.join(ROOT, name))).toBe(true);
  });
});

describe("systemd unit", () => {
  it("starts what a packed release has, with variables that the server knows", () => {
    const unit = read("deploy/systemd/agent-ops.service");
    const [, program] =
      /^ExecStart=\/usr\/bin\/node \/opt\/agent-ops\/node_modules\/agent-ops\/(\S+)$/m.exec(unit) ?? [];
    expect(JSON.parse(read("package.json")).bin["agent-ops-server"]).toBe(program);
    const names = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list]) =>
      (list ?? "").split(" ").map((pair) => pair.split("=")[0]),
    );
    expect(VARIABLES).toEqual(expect.arrayContaining(names));
  });
});
