/** The secrets that deliveries are signed with (Standard Webhooks), each sealed for its workspace and webhook. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { opened, sealed } from "../platform/secrets.ts";

const SECRET_BYTES = 32;

export interface SecretOwner {
  readonly workspaceId: string;
  readonly id: string;
}

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

const boundTo = ({ workspaceId, id }: SecretOwner): string => ["webhook secret", workspaceId, id].join("\n");

export const sealSecret = (key: Buffer, owner: SecretOwner, secret: string): Buffer =>
  sealed(key, boundTo(owner), secret);
/** Null when it was sealed with another key, or for another webhook. */
export const openSecret = (key: Buffer, owner: SecretOwner, bytes: Uint8Array): string | null =>
  opened(key, boundTo(owner), bytes);

/** The three headers a receiver verifies by; each of `secrets` signs, so that it may know either. */
export function signedHeaders(secrets: readonly string[], messageId: string, at: Date, body: string) {
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(" "),
  };
}
