import { parseFilter } from "../../domain/directory/filter.ts";
import { parseOperation } from "../../domain/directory/patch-operation.ts";
import type { Resource } from "../../domain/directory/resource.ts";
import { addManagerRef } from "../../domain/directory/add-manager-ref.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";
import { RoleEnum } from "./user.ts";

builder.scalarType("DirectoryFilter", {
  description:
    "A condition on users or groups as a tree: `{kind: and|or, operands}`, `{kind: not, operand}`, " +
    "`{kind: present, path}`, `{kind: compare, path, comparison, value}`, `{kind: some, path, where}`. @see RFC 7644, 3.4.2.2.",
  serialize: (value) => value,
  parseValue: parseFilter,
});

builder.scalarType("DirectoryOperation", {
  description:
    "One operation of a patch: `{op: add|replace|remove, path, where, sub, value}`. @see RFC 7644, 3.5.2.",
  serialize: (value) => value,
  parseValue: parseOperation,
});

/** A member of the workspace as an identity provider sees it. */
export const DirectoryUser = builder.objectRef<Resource>("DirectoryUser").implement({
  description: "A member of the workspace as an identity provider sees it.",
  fields: (t) => ({
    id: t.id({ resolve: (user) => toGlobalId("User", user.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    attributes: t.field({
      type: "JSON",
      description: "What SCIM calls them, but for id, schemas and meta. @see RFC 7643, 4.1 and 4.3.",
      resolve: addManagerRef,
    }),
    version: t.exposeString("version", { description: "The ETag." }),
    role: t.expose("role", { type: RoleEnum, nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

/** A group of members as an identity provider sees it. */
export const DirectoryGroup = builder.objectRef<Resource>("DirectoryGroup").implement({
  description: "A group of members that an identity provider keeps.",
  fields: (t) => ({
    id: t.id({ resolve: (group) => toGlobalId("Group", group.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    attributes: t.expose("attributes", {
      type: "JSON",
      description: "What SCIM calls them, but for id, schemas and meta. @see RFC 7643, 4.2.",
    }),
    version: t.exposeString("version", { description: "The ETag." }),
    role: t.expose("role", {
      type: RoleEnum,
      nullable: true,
      description: "What its members are at least; an admin's choice.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});
