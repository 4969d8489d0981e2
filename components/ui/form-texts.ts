/** Schemas for typed text: numbers, amounts, or nothing. */
import { z } from "zod";
import { nanoOf } from "@/components/ui/format/dollars";

/** Undefined for a text that says no such value. */
type Read<T> = (text: string) => T | undefined;

/** A text that must say something. */
export const needed = (says: string) => z.string().trim().min(1, says);

/** The value of a text; `says` is the error for an invalid one. */
export const said = <T>(read: Read<T>, says: string) =>
  z.string().transform((text, context): T => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: says });
    return z.NEVER;
  });

/** Null for an empty text. */
export const emptyOr =
  <T>(read: Read<T>): Read<T | null> =>
  (text) =>
    text === "" ? null : read(text);

export const wholeFrom =
  (min: number, max: number): Read<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

export const dollars: Read<bigint> = (text) => nanoOf(text) ?? undefined;

/** A text, or null when it is left empty. */
export const textOrNull = z.string().transform((text) => text.trim() || null);

/** The text; undefined when it is empty. */
export const textOrAbsent = z.string().transform((text) => text || undefined);

/** The errors in fields, by their paths: `prices.0.input`. */
export type Wrongs = Readonly<Record<string, string>>;

/** The schema of a form whose fields depend on each other: its reader returns the input, or the errors by field. */
export const readBy = <In, Out>(read: (draft: In) => { readonly input: Out } | { readonly wrongs: Wrongs }) =>
  z.custom<In>().transform((draft, context): Out => {
    const found = read(draft);
    if ("input" in found) return found.input;
    for (const [path, message] of Object.entries(found.wrongs))
      context.addIssue({ code: "custom", path: path.split("."), message });
    return z.NEVER;
  });
