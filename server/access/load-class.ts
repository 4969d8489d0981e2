/** The classes of requests, from the one that is kept up longest to the one that is turned away first. */
export const LOAD_CLASSES = ["gate", "dispatch", "console", "report"] as const;
export type LoadClass = (typeof LOAD_CLASSES)[number];
