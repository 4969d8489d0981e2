"use client";

import { createContext, useContext } from "react";

/** The rule that was chosen among the sentences, from 0; its card is open at first. */
export const OpenRuleContext = createContext<number | null>(null);

export const useOpenRule = (): number | null => useContext(OpenRuleContext);
