/** A format of settings: its values, and its text with some of them changed. */
import type { Edit, JsonObject } from "./json-values.ts";

export interface SettingsText {
  /** Errors: `UnreadableSettings`. */
  readonly parse: (text: string) => JsonObject;
  readonly apply: (text: string, edits: readonly Edit[]) => string;
  /** The text without an enrolment, where `edits` are what its values lose. */
  readonly undo: (text: string, edits: readonly Edit[]) => string;
}

/** The message completes "The file cannot be read: ...". */
export class UnreadableSettings extends Error {
  override readonly name = "UnreadableSettings";
}
