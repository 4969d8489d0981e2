/** What is asked of a server, from what is kept up longest to what is turned away first. */
export const LOAD_CLASSES = ["gate", "dispatch", "console", "report"] as const;
export type LoadClass = (typeof LOAD_CLASSES)[number];
