"use client";

import { createContext, useContext } from "react";

/** A failed call as a person reads it: one sentence, or more exactly what was wrong with which field. */
export interface Refusal {
  readonly message: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

const plain = (error: unknown): Refusal => ({
  message: error instanceof Error ? error.message : String(error),
  fields: [],
});

/** The reader of failures; whoever knows the server's errors provides it. */
export const RefusalContext = createContext<(error: unknown) => Refusal>(plain);
export const useRefusal = () => useContext(RefusalContext);
