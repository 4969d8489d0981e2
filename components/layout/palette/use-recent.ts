"use client";

import { useQuery } from "@tanstack/react-query";
import { KINDS, type PaletteObject } from "@/components/layout/palette/results";
import { useTRPC } from "@/components/trpc/client";
import { useLocalStorage } from "@/components/ui/use-local-storage";

const RECENT_MAX = 5;
const NONE: readonly PaletteObject[] = [];

const isObject = (one: unknown): one is PaletteObject =>
  typeof one === "object" &&
  one !== null &&
  ["id", "label", "aside", "href"].every((field) => field in one && typeof Reflect.get(one, field) === "string") &&
  "kind" in one &&
  Object.hasOwn(KINDS, String(one.kind)) &&
  // Accepts only addresses of this console: any script could have written the storage.
  /^\/(?!\/)/.test(String(Reflect.get(one, "href")));
const areObjects = (stored: unknown): stored is readonly PaletteObject[] =>
  Array.isArray(stored) && stored.every(isObject);

/** The objects opened last from the palette, in this browser, by this person, in this workspace. */
export function useRecent() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.access.me.queryOptions());
  const key = me ? `palette.recent.${me.workspaceId}.${me.id}` : "palette.recent";
  const [stored, store] = useLocalStorage<readonly PaletteObject[]>(key, NONE, areObjects);
  return {
    recent: me ? stored.slice(0, RECENT_MAX) : NONE,
    remember: (object: PaletteObject) =>
      me ? store([object, ...stored.filter(({ id }) => id !== object.id)].slice(0, RECENT_MAX)) : undefined,
  };
}
