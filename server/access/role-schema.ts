import { z } from "zod";

/** The roles of people and service accounts in a workspace, the least first. Their permissions: permissions.ts. */
export const ROLES = ["viewer", "approver", "author", "admin", "auditor", "owner"] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

/** The scopes of a key: the kinds of requests that it lets its agent make. */
export const KEY_SCOPES = ["dispatch", "report", "policy"] as const;
export const keyScope = z.enum(KEY_SCOPES);
export type KeyScope = z.infer<typeof keyScope>;

/** Rows of a page of a list that people keep. A page with fewer is the last one. */
export const PAGE_ROWS = 500;
/** Asks for the page after the row with this id, the last of the page before; absent for the first page. */
export const pageById = z.strictObject({ cursor: z.uuid().nullish() }).optional();
export type PageById = z.infer<typeof pageById>;
