/** The classes of requests, from the most urgent to the first one to be shed. */
export const LOAD_CLASSES = ["gate", "dispatch", "console", "report"] as const;
export type LoadClass = (typeof LOAD_CLASSES)[number];
