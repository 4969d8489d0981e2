/** The sha256 of a policy text in hex digits, as revisions have it. */
import { createHash } from "node:crypto";

export const sha256Of = (source: string): string => createHash("sha256").update(source).digest("hex");
