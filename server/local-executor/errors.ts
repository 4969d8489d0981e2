/**
 * The reason for a missing local verdict, as one sentence with the next step. An event that can be blocked is denied.
 */
export class Trouble extends Error {
  override readonly name = "Trouble";
}

/** The console could not be reached or cannot answer now: its last policy may still be used. */
export class ConsoleAway extends Trouble {
  readonly isAway = true;
}

/** Checks the name, because the engine's part of the bundle has its own copy of this class. */
export function isTrouble(error: unknown): error is Trouble {
  return error instanceof Error && error.name === "Trouble";
}

/** Checks a property of the error, because the engine's part of the bundle has its own copy of this class. */
export function isAway(error: unknown): boolean {
  return error instanceof Error && "isAway" in error && error.isAway === true;
}

/** The cause of an error, in a few words. */
export function causeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}

/** True if a file operation failed because the file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
