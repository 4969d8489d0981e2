/** A workspace's own masking, in addition to the built-in detection of secrets. */
import { z } from "zod";

/** Detectors of personal data that belong to no country. */
export const DETECTORS = ["email", "phone", "card", "iban"] as const;
export type DetectorName = (typeof DETECTORS)[number];

/** The countries whose national ids are detected. */
export const ID_COUNTRIES = [
  ...(["BE", "BR", "CH", "DE", "ES", "FR", "GB", "IN", "IT", "NL", "PL", "SE", "US"] as const),
] as const;
export type IdCountry = (typeof ID_COUNTRIES)[number];

export const MASK_PATTERNS_MAX = 20;
export const MASK_FIELDS_MAX = 50;
export const MASK_PATTERN_CHARS_MAX = 300;

const PATH = /^(?:tool_input(?:\.[^.\s]{1,100}){1,8}|tool_response(?:\.[^.\s]{1,100}){0,8})$/;

export const maskPattern = z.strictObject({
  id: z.uuid(),
  name: z.string().trim().min(1, "Enter a name.").max(60, "A name has at most 60 characters."),
  /** RE2. Every match is replaced. */
  pattern: z
    .string()
    .min(1, "Enter a pattern.")
    .max(MASK_PATTERN_CHARS_MAX, `A pattern has at most ${MASK_PATTERN_CHARS_MAX} characters.`),
});
export type MaskPattern = z.infer<typeof maskPattern>;

export const maskedField = z.strictObject({
  /** A matcher of tool names, as hooks have it: RE2, anchored; `*` for every tool. */
  tool: z.string().min(1, "Enter a tool, or * for every tool.").max(200, "A tool has at most 200 characters."),
  /** Member names with points between; `*` is any one member or element. */
  path: z
    .string()
    .max(300, "A path has at most 300 characters.")
    .regex(PATH, "Enter a path such as tool_input.password or tool_response.token; * is any one member."),
});
export type MaskedField = z.infer<typeof maskedField>;

const unique = <T>(values: readonly T[]): boolean => new Set(values).size === values.length;

export const maskingSetting = z.strictObject({
  patterns: z
    .array(maskPattern)
    .max(MASK_PATTERNS_MAX, `A workspace has at most ${MASK_PATTERNS_MAX} patterns.`)
    .refine((all) => unique(all.map(({ id }) => id)), "Two patterns have the same id.")
    .refine((all) => unique(all.map(({ name }) => name)), "Two patterns have the same name.")
    .default([]),
  fields: z
    .array(maskedField)
    .max(MASK_FIELDS_MAX, `A workspace has at most ${MASK_FIELDS_MAX} fields that are never stored.`)
    .default([]),
  detectors: z.array(z.enum(DETECTORS)).refine(unique, "A detector is listed twice.").default([]),
  nationalIds: z.array(z.enum(ID_COUNTRIES)).refine(unique, "A country is listed twice.").default([]),
});
export type MaskingSetting = z.infer<typeof maskingSetting>;

export const NO_MASKING: MaskingSetting = { patterns: [], fields: [], detectors: [], nationalIds: [] };

/** True if only the built-in masking applies. */
export const isEmptyMasking = ({ patterns, fields, detectors, nationalIds }: MaskingSetting): boolean =>
  patterns.length + fields.length + detectors.length + nationalIds.length === 0;
