/** The reason for having no verdict here, as one sentence that says what to do. An event that can be blocked is. */
export class Trouble extends Error {
  override readonly name = "Trouble";
}

/** The console could not be reached, or cannot answer now: what it said last may still hold. */
export class ConsoleAway extends Trouble {
  readonly isAway = true;
}

/** By its name: the bundle has the engine's side of this class apart. */
export function isTrouble(error: unknown): error is Trouble {
  return error instanceof Error && error.name === "Trouble";
}

/** By what it says of itself: the bundle has the engine's side of this class apart. */
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
