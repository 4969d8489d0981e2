"use client";

import { createContext, useContext } from "react";

/** A failed call in words for the reader: one sentence, or the errors by field. */
export interface Refusal {
  readonly message: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  /** The address of a text that explains the refusal. */
  readonly helpHref?: string | undefined;
}

const plain = (error: unknown): Refusal => ({
  message: error instanceof Error ? error.message : String(error),
  fields: [],
});

/** Reads a failure; a provider with knowledge of the server's errors replaces it. */
export const RefusalContext = createContext<(error: unknown) => Refusal>(plain);
export const useRefusal = () => useContext(RefusalContext);
