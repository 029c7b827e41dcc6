import { parseFilter } from "../../domain/directory/filter.ts";
import { parseOperation } from "../../domain/directory/patch-operation.ts";
import type { Resource } from "../../domain/directory/resource.ts";
import { addManagerRef } from "../../domain/directory/add-manager-ref.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";
import { RoleEnum } from "./user.ts";

builder.scalarType("DirectoryFilter", {
  description:
    "A filter on users, groups or agents, as a tree of `{kind: and|or, operands}`, `{kind: not, operand}`, " +
    "`{kind: present, path}`, `{kind: compare, path, comparison, value}` and `{kind: some, path, " +
    "where}`. @see RFC 7644, 3.4.2.2.",
  serialize: (value) => value,
  parseValue: parseFilter,
});

builder.scalarType("DirectoryOperation", {
  description:
    "One operation of a patch: `{op: add|replace|remove, path, where, sub, value}`. @see RFC 7644, 3.5.2.",
  serialize: (value) => value,
  parseValue: parseOperation,
});

export const DirectoryUser = builder.objectRef<Resource>("DirectoryUser").implement({
  description: "A member of the workspace, as SCIM shows it.",
  fields: (t) => ({
    id: t.id({ resolve: (user) => toGlobalId("User", user.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    attributes: t.field({
      type: "JSON",
      description: "The SCIM attributes, without id, schemas and meta. @see RFC 7643, 4.1 and 4.3.",
      resolve: addManagerRef,
    }),
    version: t.exposeString("version", { description: "The ETag." }),
    role: t.expose("role", { type: RoleEnum, nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

export const DirectoryGroup = builder.objectRef<Resource>("DirectoryGroup").implement({
  description: "A group of members, managed by an identity provider.",
  fields: (t) => ({
    id: t.id({ resolve: (group) => toGlobalId("Group", group.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    attributes: t.expose("attributes", {
      type: "JSON",
      description: "The SCIM attributes, without id, schemas and meta. @see RFC 7643, 4.2.",
    }),
    version: t.exposeString("version", { description: "The ETag." }),
    role: t.expose("role", {
      type: RoleEnum,
      nullable: true,
      description: "The role that its members have at least, set by an admin.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

export const DirectoryAgent = builder.objectRef<Resource>("DirectoryAgent").implement({
  description: "An agent of the workspace, as SCIM shows it.",
  fields: (t) => ({
    id: t.id({ resolve: (agent) => toGlobalId("Agent", agent.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    attributes: t.expose("attributes", {
      type: "JSON",
      description:
        "The SCIM attributes, without id, schemas and meta. @see https://datatracker.ietf.org/doc/draft-wzdk-scim-agent-resource/",
    }),
    version: t.exposeString("version", { description: "The ETag." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});
