import { z } from "zod";

/** The list pages whose address says all that they show. */
export const VIEW_PAGES = [
  ...(["decisions", "costs", "compactions", "sessions", "audit", "judges", "agents"] as const),
  ...(["approval-paths", "rules"] as const),
] as const;
export const viewPage = z.enum(VIEW_PAGES);
export type ViewPage = z.infer<typeof viewPage>;

export const NAME_CHARS_MAX = 60;
/** Views of one page: of one person, and shared ones. */
export const VIEWS_MAX = 50;

const name = z
  .string()
  .trim()
  .min(1, "It needs a name.")
  .max(NAME_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A name is one line of text.");

/** The query string of an address. The open record is not part of the view. */
const query = z
  .string()
  .max(2_000)
  .regex(/^[^\s\p{C}]*$/u, "This is no part of an address.")
  .transform(kept);

function kept(text: string): string {
  const params = new URLSearchParams(text);
  params.delete("open");
  return params.toString();
}

export const saveView = z.strictObject({ page: viewPage, name, query });
export type SaveView = z.infer<typeof saveView>;

export const viewById = z.strictObject({ id: z.uuid() });
export const viewsOfPage = z.strictObject({ page: viewPage });

export const savedView = z.strictObject({
  id: z.uuid(),
  page: viewPage,
  name: z.string(),
  query: z.string(),
  isShared: z.boolean(),
  owner: z.string(),
});
export type SavedView = z.infer<typeof savedView>;
