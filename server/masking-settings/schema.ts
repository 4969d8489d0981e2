import { z } from "zod";
import { maskingSetting } from "../hooks/contract/masking-setting.ts";

export const SAMPLE_CHARS_MAX = 4_000;
/** Hits are counted over this many days. */
export const HIT_DAYS = 7;

/** Changes of a workspace that has no masking of its own are changes of version 0. */
const version = z.number().int().min(0).max(2_147_483_646);

export const saveMasking = z.strictObject({
  setting: maskingSetting,
  /** The version that the author saw. */
  version,
  /** A reason to weaken the masking without a second person; null otherwise. */
  reason: z
    .string()
    .trim()
    .min(10, "Enter the reason for acting without a second person.")
    .max(500, "A reason has at most 500 characters.")
    .nullable()
    .default(null),
});
export type SaveMasking = z.infer<typeof saveMasking>;

/** `asked`: the change weakens the masking and waits for a second person. */
export const savedMasking = z.strictObject({ state: z.enum(["saved", "asked"]) });
export type SavedMasking = z.infer<typeof savedMasking>;

/** A decision on exactly the change that was asked for at this time. */
export const decideMasking = z.strictObject({ askedAt: z.date(), outcome: z.enum(["approved", "declined"]) });
export type DecideMasking = z.infer<typeof decideMasking>;

export const withdrawMasking = z.strictObject({ askedAt: z.date() });

export const previewMasking = z.strictObject({
  setting: maskingSetting,
  sample: z.string().max(SAMPLE_CHARS_MAX, `A test text has at most ${SAMPLE_CHARS_MAX} characters.`),
});
export type PreviewMasking = z.infer<typeof previewMasking>;

/** A rule by its id: that of a pattern, the name of a detector, `id_` and a country, or `field`. */
export const maskHits = z.array(z.strictObject({ rule: z.string(), hits: z.number() }));

export const maskingProblem = z.strictObject({
  part: z.enum(["patterns", "fields"]),
  index: z.number().int(),
  says: z.string(),
});
export type MaskingProblem = z.infer<typeof maskingProblem>;

export const maskingPreview = z.strictObject({
  /** Null while a pattern or a field cannot be used. */
  masked: z.string().nullable(),
  hits: maskHits,
  problems: z.array(maskingProblem),
  /** Recorded inputs that were tried, and those of which these rules would hide more than is hidden already. */
  recorded: z.strictObject({ tried: z.number(), changed: z.number() }),
});
export type MaskingPreview = z.infer<typeof maskingPreview>;

export const maskingView = z.strictObject({
  setting: maskingSetting,
  version,
  setBy: z.string().nullable(),
  setAt: z.date().nullable(),
  /** The reason why the stored setting cannot be used: every text is hidden until it is saved again. */
  problem: z.string().nullable(),
  hits: maskHits,
  /** The weaker setting that waits for a second person. */
  asked: z
    .strictObject({
      setting: maskingSetting,
      /** The parts that it no longer masks, in words. */
      loses: z.array(z.string()),
      byName: z.string(),
      at: z.date(),
      isMine: z.boolean(),
      /** Null when the reader may decide; else the reason. */
      whyNot: z.string().nullable(),
    })
    .nullable(),
});
export type MaskingView = z.infer<typeof maskingView>;
