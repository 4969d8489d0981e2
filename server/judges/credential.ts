/** Credentials of model providers, each sealed for the workspace, the connection and the origin it is sent to. */
import * as secrets from "../platform/secrets.ts";

/** Whose credential it is, and where it is sent. */
export interface CredentialOwner {
  readonly workspaceId: string;
  readonly connectionId: string;
  readonly baseUrl: string;
}

/** `key` has 32 bytes. Two seals of one text differ. */
export function sealed(key: Buffer, owner: CredentialOwner, text: string): Buffer {
  return secrets.sealed(key, boundTo(owner), text);
}

/** The text; null when it was sealed with another key or for another owner, or was changed since. */
export function opened(key: Buffer, owner: CredentialOwner, bytes: Uint8Array): string | null {
  return secrets.opened(key, boundTo(owner), bytes);
}

function boundTo({ workspaceId, connectionId, baseUrl }: CredentialOwner): string {
  return ["model credential", workspaceId, connectionId, new URL(baseUrl).origin].join("\n");
}

/** A part of a shorter credential would reveal too much. */
const SHOWN_FROM = 16;

/** The last four characters, to distinguish keys; null for a short credential. */
export const lastFourOf = (text: string): string | null => (text.length >= SHOWN_FROM ? text.slice(-4) : null);
