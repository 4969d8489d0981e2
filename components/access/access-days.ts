/** The length of a person's access, in words. */
import { plural } from "@/components/ui/format/count";

const NAMED: Readonly<Record<number, string>> = { 1: "a day", 7: "a week" };

/** "a week", "30 days". */
export const accessWords = (days: number): string => NAMED[days] ?? plural(days, "day");

/** " for a week"; empty without an end. */
export const forAccessDays = (days: number | null): string => (days === null ? "" : ` for ${accessWords(days)}`);
