/** The version in `name@1.2.3` or `@scope/name@1.2.3`; null for a name without an exact version. */
export const packageVersion = (text: string): string | null =>
  /^(?:@[^/@\s]+\/)?[^/@\s]+@(\d[\w.+-]{0,60})$/.exec(text)?.[1] ?? null;
