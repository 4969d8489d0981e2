import type { PackView } from "@/server/packs/schema";

/** The packs that hold every word: first those whose title holds them all, then those whose text does. */
export function searchPacks<
  Pack extends Pick<PackView, "title" | "promise" | "denies" | "asks" | "changes" | "category">,
>(packs: readonly Pack[], sought: string): Pack[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = packs.filter(({ title, promise, denies, asks, changes, category }) =>
    holds([title, promise, denies, asks, changes, category].join(" ")),
  );
  const isNamed = ({ title }: Pack) => holds(title);
  return [...found.filter(isNamed), ...found.filter((pack) => !isNamed(pack))];
}
