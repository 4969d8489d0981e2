/** Faults of stored rows: an older or newer release wrote them, or the database was written to by another program. */
import type { z } from "zod";
import { plainLine } from "./plain-line.ts";

/** A stored row with a part that this release cannot read. */
export interface StoredFault {
  /** Such as `budget "team"`. */
  readonly thing: string;
  /** The part and its fault: `period: Invalid option`. */
  readonly problem: string;
  /** Such as "every call under it is denied". */
  readonly effect: string;
}

const PROBLEM_CHARACTERS_MAX = 200;

/** The first problem of a row with its field, on one line. */
export function storedProblem({ issues: [first] }: z.ZodError): string {
  const path = first?.path.join(".") ?? "";
  const message = first?.message ?? "another shape";
  return plainLine(path === "" ? message : `${path}: ${message}`, PROBLEM_CHARACTERS_MAX);
}
