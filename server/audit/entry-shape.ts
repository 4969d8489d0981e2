/** The form of an entry of the chain: its kind, its versions, its fields. */
import { z } from "zod";

export const text = z.string();
export const number = z.number();

/** The schema of an entry by the server itself. */
export function ownEntry<Kind extends string, Fields extends z.ZodRawShape, Version extends number = 1>(
  kind: Kind,
  fields: Fields,
  ...versions: Version[]
) {
  // Holds: without one it is the default of the type.
  return z.strictObject({
    kind: z.literal(kind),
    version: z.literal(versions.length > 0 ? versions : [1 as Version]),
    ...fields,
  });
}

/** An entry of an act; `by` names who acted. */
export function entry<Kind extends string, Fields extends z.ZodRawShape, Version extends number = 1>(
  kind: Kind,
  fields: Fields,
  ...versions: Version[]
) {
  return ownEntry(kind, { by: text, ...fields }, ...versions);
}
