/** A published revision as one file: its text with what makes it checkable. Taken up again, it is a draft. */
import { createHash } from "node:crypto";
import { PROFILES } from "@quarterdeck/hooks/contract/profiles";
import { z } from "zod";
import { AppError } from "../../errors/app-error.ts";
import { POLICY_SOURCE_BYTES_MAX } from "../schema.ts";

const bundle = z.object({
  quarterdeck: z.literal("policy-bundle"),
  version: z.literal(1),
  name: z.string().min(1).max(64),
  revision: z.number().int().min(0),
  profile: z.enum(PROFILES),
  note: z.string().max(2_000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  text: z.string().max(POLICY_SOURCE_BYTES_MAX),
});
export type PolicyBundle = z.infer<typeof bundle>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export function writeBundle(of: Omit<PolicyBundle, "quarterdeck" | "version" | "sha256">): string {
  const whole: PolicyBundle = { quarterdeck: "policy-bundle", version: 1, ...of, sha256: sha256(of.text) };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** The bundle in `source`; null when it is something else. Errors: `invalid_input` for a damaged one. */
export function readBundle(source: string): PolicyBundle | null {
  if (!source.trimStart().startsWith("{")) return null;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null; // YAML's braces
  }
  if (typeof value !== "object" || value === null || !("quarterdeck" in value)) return null;
  const refuse = (says: string) => new AppError("invalid_input", undefined, { says });
  const parsed = bundle.safeParse(value);
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join(".") ?? "";
    throw refuse(`This bundle cannot be read: ${at === "" ? "it" : `"${at}"`} is not valid in a bundle.`);
  }
  if (sha256(parsed.data.text) !== parsed.data.sha256)
    throw refuse("This bundle was changed after it was written: its text does not match its sha256.");
  return parsed.data;
}
