/** Secrets of receivers, each sealed for its workspace, its stream and the place that it is sent to. */
import { opened, sealed } from "../platform/secrets.ts";

export interface SecretOwner {
  readonly workspaceId: string;
  readonly id: string;
  /** The origin of the address. */
  readonly origin: string;
}

const boundTo = ({ workspaceId, id, origin }: SecretOwner): string =>
  ["stream secret", workspaceId, id, origin].join("\n");

export const sealSecret = (key: Buffer, owner: SecretOwner, secret: string): Buffer =>
  sealed(key, boundTo(owner), secret);

/** Null when it was sealed with another key, or for another stream or place. */
export const openSecret = (key: Buffer, owner: SecretOwner, bytes: Uint8Array): string | null =>
  opened(key, boundTo(owner), bytes);
