/** The versions of the taxonomy, by profile. */
import { READ_ROWS, READ_ROWS_2026_11, type ReadRow } from "./reads.ts";

export interface Taxonomy {
  readonly reads: readonly ReadRow[];
  /** Programs with a flag or argument that writes or runs something, so a variable or pattern makes the command unknown. */
  readonly literalOnly: ReadonlySet<string>;
  /** A redirection in a pattern must follow a blank; otherwise it may also end a word. */
  readonly redirectsAfterBlank: boolean;
  /** A known read may have a parenthesis outside of quotes, and one newline at its end. */
  readonly isLax: boolean;
}

const LITERAL_ONLY = ["sort", "uniq", "file", "tree", "rg", "git", "kubectl"];

/** Destructive rows up to 0.4, reads of 0.2. */
export const TAXONOMY: Taxonomy = {
  reads: READ_ROWS,
  literalOnly: new Set(LITERAL_ONLY),
  redirectsAfterBlank: false,
  isLax: true,
};

export const TAXONOMY_2026_11: Taxonomy = {
  reads: READ_ROWS_2026_11,
  literalOnly: new Set([...LITERAL_ONLY, "gh", "go"]),
  redirectsAfterBlank: true,
  isLax: false,
};
