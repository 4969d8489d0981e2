import { z } from "zod";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { policyName } from "../policies/schema.ts";

/** Where a pack's questions are asked: in the agent's own terminal, or on the Approvals page. */
export const ASK_PLACES = ["terminal", "approvals"] as const;
export type AskPlace = (typeof ASK_PLACES)[number];

export const installPack = z.strictObject({
  packId: z.string().min(1).max(64),
  /** In the terminal when absent. */
  asks: z.enum(ASK_PLACES).optional(),
  /** The name of the policy; the pack's title, numbered if need be, when absent. */
  name: policyName.optional(),
});
export type InstallPack = z.infer<typeof installPack>;

export const updatePack = z.strictObject({ policyId: z.uuid() });
export type UpdatePack = z.infer<typeof updatePack>;

export const packInstallView = z.strictObject({
  policyId: z.uuid(),
  name: z.string(),
  version: z.number(),
  /** A newer version of the pack is here. */
  isBehind: z.boolean(),
  isPublished: z.boolean(),
});
export type PackInstallView = z.infer<typeof packInstallView>;

export const PACK_CATEGORIES = [
  "Commands",
  "Files",
  "Data and network",
  "Prompts and judges",
  "Records and budgets",
] as const;
/** The tools of a client, by its own names, that a pack's hooks judge, and the tools that no hook matches. */
export const heldToolsView = z.strictObject({
  client: z.enum(CLIENT_NAMES),
  held: z.array(z.string()),
  others: z.array(z.string()),
});
export type HeldTools = z.infer<typeof heldToolsView>;

const category = z.enum(PACK_CATEGORIES);
export type PackCategory = z.infer<typeof category>;

export const packView = z.strictObject({
  id: z.string(),
  title: z.string(),
  version: z.number(),
  category,
  promise: z.string(),
  /** The denied calls, in words; empty if it never denies. */
  denies: z.string(),
  asks: z.string(),
  changes: z.string(),
  passes: z.string(),
  limits: z.string(),
  source: z.string(),
  /** Hooks per event, in the order they are written. */
  events: z.array(z.strictObject({ event: z.string(), hooks: z.number(), agentHooks: z.number() })),
  /** The judged tools by client; empty for a pack that judges no calls. */
  tools: z.array(heldToolsView),
  /** The policies of this workspace that were created from it. */
  installed: z.array(packInstallView),
});
export type PackView = z.infer<typeof packView>;

/**
 * The actions of a pack, as labels. A pack that only changes calls is described by that, not by the absence of denials.
 */
export function packActs({ denies, asks, changes }: Pick<PackView, "denies" | "asks" | "changes">) {
  const verdicts = [
    { label: "Denies", says: denies },
    { label: "Asks about", says: asks },
  ];
  if (changes === "") return verdicts.map(({ label, says }) => ({ label, says: says || "nothing." }));
  return [...verdicts, { label: "Changes", says: changes }].filter(({ says }) => says !== "");
}

export const packUpdateView = z.discriminatedUnion("outcome", [
  /** The draft has the new text; what is in force does not change. */
  z.strictObject({ outcome: z.literal("drafted") }),
  z.strictObject({ outcome: z.literal("current") }),
  /** Somebody made the text their own: both are shown and nothing was changed. */
  z.strictObject({ outcome: z.literal("differs"), yours: z.string(), theirs: z.string() }),
]);
export type PackUpdateView = z.infer<typeof packUpdateView>;
